import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command, Option } from 'commander'
import { path } from './arguments.js'
import { CommandFailed, exitCodes } from './exit-codes.js'
import { fileProblem, makeFolder, writeAll } from './files.js'
import type { Io } from './io.js'
import { fingerprintOf } from './keys.js'
import { jsonLine } from './text.js'

interface KeyFiles {
  readonly privateKeyFile: string
  readonly publicKeyFile: string
  readonly bits: number
  /** SHA-256 of the public key, hex. */
  readonly fingerprint: string
}

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
      const files = await keygen(options, io)
      if (options.json === true) io.out(jsonLine(files))
      else for (const line of linesOf(files, io)) io.out(line)
      io.finish(exitCodes.ok)
    })
}

async function keygen({ out, bits }: KeygenOptions, io: Io): Promise<KeyFiles> {
  const privateKeyFile = join(out, 'private-key.pem')
  const publicKeyFile = join(out, 'public-key.pem')
  // Said before a long key is made; what counts is that the files are opened exclusively below.
  for (const file of [privateKeyFile, publicKeyFile]) {
    if (existsSync(file))
      throw new CommandFailed(`${file} exists already and is never overwritten; nothing was written.`)
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: Number(bits) })
  const publicKey = createPublicKey(privateKey)
  writeBoth({ privateKeyFile, privateKey, publicKeyFile, publicKey, out }, io)
  return { privateKeyFile, publicKeyFile, bits: Number(bits), fingerprint: fingerprintOf(publicKey) }
}

interface Pair {
  readonly out: string
  readonly privateKeyFile: string
  readonly privateKey: KeyObject
  readonly publicKeyFile: string
  readonly publicKey: KeyObject
}

/** Both files or none. */
function writeBoth({ out, privateKeyFile, privateKey, publicKeyFile, publicKey }: Pair, io: Io): void {
  writing(out, () => makeFolder(out, 0o700))
  const files = [
    { file: privateKeyFile, text: privateKey.export({ type: 'pkcs8', format: 'pem' }), mode: 0o600 },
    { file: publicKeyFile, text: publicKey.export({ type: 'spki', format: 'pem' }), mode: 0o644 },
  ]
  writeAll(files, writing, (undo) => io.onExit(undo))
}

function writing(file: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw new CommandFailed(`${file} ${fileProblem(error)}; no key was kept.`)
  }
}

function linesOf({ privateKeyFile, publicKeyFile, bits, fingerprint }: KeyFiles, { paint }: Io): string[] {
  return [
    `${paint('bold', privateKeyFile)}  signs; keep it, mode 0600, ${bits} bits`,
    `${paint('bold', publicKeyFile)}  is for the platform`,
    `SHA-256 of the public key: ${fingerprint}`,
  ]
}
