import { createHash, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Command, Option } from 'commander'
import { path } from './arguments.js'
import { CommandFailed } from './exit-codes.js'
import { fileProblem } from './files.js'
import { type Io, printJson } from './io.js'
import { coloured } from './text.js'

interface KeygenOptions {
  readonly out: string
  readonly bits: '2048' | '3072' | '4096'
  readonly json?: true
}

export function keygenCommand(io: Io): Command {
  return new Command('keygen')
    .description('Make the RSA key that signs, and its public half.')
    .option('--out <DIR>', 'where private-key.pem and public-key.pem go', path, '.')
    .addOption(
      new Option('--bits <BITS>', 'length of the key').choices(['2048', '3072', '4096']).default('2048'),
    )
    .option('--json', 'print one line of JSON')
    .action(async (options: KeygenOptions) => {
      const files = await keygen(options)
      if (options.json === true) printJson(io, files)
      else {
        io.out(`signs; keep it, mode 0600, ${files.bits} bits`, `${coloured('bold', files.privateKeyFile)}  `)
        io.out('is for the platform', `${coloured('bold', files.publicKeyFile)}  `)
        io.out(`SHA-256 of the public key: ${files.fingerprint}`)
      }
    })
}

async function keygen({ out, bits }: KeygenOptions) {
  const privateKeyFile = join(out, 'private-key.pem')
  const publicKeyFile = join(out, 'public-key.pem')
  // Said before a long key is made; what counts is that the files are opened exclusively below.
  for (const file of [privateKeyFile, publicKeyFile]) {
    if (existsSync(file))
      throw new CommandFailed(`${file} exists already and is never overwritten; nothing was written.`)
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: Number(bits) })
  const publicKey = createPublicKey(privateKey)
  writeBoth(out, [
    { file: privateKeyFile, text: privateKey.export({ type: 'pkcs8', format: 'pem' }), mode: 0o600 },
    { file: publicKeyFile, text: publicKey.export({ type: 'spki', format: 'pem' }), mode: 0o644 },
  ])
  return { privateKeyFile, publicKeyFile, bits: Number(bits), fingerprint: fingerprintOf(publicKey) }
}

/** Both files or none: a disk that is full leaves no half of a key. */
function writeBoth(
  out: string,
  files: readonly { file: string; text: string | Buffer; mode: number }[],
): void {
  const made: string[] = []
  let at = out
  try {
    makeFolder(out)
    for (const { file, text, mode } of files) {
      at = file
      closeSync(openSync(file, 'wx', mode))
      made.push(file)
      // To the disk itself: a full one may tell only then.
      writeFileSync(file, text, { flush: true })
    }
  } catch (error) {
    for (const file of made) rmSync(file, { force: true })
    throw new CommandFailed(`${at} ${fileProblem(error)}; no key was kept.`)
  }
}

/** Not Node's `recursive`, which never ends where the system makes no folder, as in /proc. */
function makeFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) return
  if (there !== undefined) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  mkdirSync(path, { mode: 0o700 })
}

/**
 * SHA-256 of a public key's DER form, as hex: what
 * `openssl pkey -pubin -in public-key.pem -outform DER | openssl dgst -sha256` prints.
 */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}
