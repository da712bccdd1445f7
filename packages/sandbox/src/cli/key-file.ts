import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed, withFile } from './failure.js'

const FOLDER = '.merchant-gateway-sandbox'

export interface KeyFile {
  readonly file: string
  readonly pem: string
}

/**
 * The key of all sandboxes that this user serves, at the same path each time: variables that were set once stay right.
 * Undefined where the home folder takes no file; such a sandbox has a key of its own.
 *
 * @throws {CommandFailed} when something else is there
 */
export function ownKey(home: string): KeyFile | undefined {
  const file = join(home, FOLDER, 'private-key.pem')
  if (!existsSync(file) && !made(file)) return undefined
  const pem = withFile(file, () => readFileSync(file, 'utf8'))
  if (isRsaKey(pem)) return { file, pem }
  throw new CommandFailed(`${file} holds no private RSA key. Delete it, and the sandbox makes one.`)
}

/** False where no file can be. Another sandbox may make the same at the same moment: the first one counts. */
function made(file: string): boolean {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const draft = `${file}.${randomUUID()}`
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 })
  } catch {
    return false
  }
  try {
    linkSync(draft, file)
  } catch {
    // It is there already.
  }
  unlinkSync(draft)
  return existsSync(file)
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
