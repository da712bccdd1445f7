import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListenOptions, Sandbox, SandboxOptions, SandboxServer } from '../index.js'
import { CommandFailed, withFile } from './failure.js'
import type { Io } from './io.js'
import { shellQuoted } from './text.js'

/** What a client has to know of the sandbox; `--json` prints it. */
export interface Served {
  readonly baseUrl: string
  readonly merchantCode: string
  readonly timestampUnit: 'seconds' | 'milliseconds'
  /** Absent with `--public-key`. */
  readonly privateKeyFile?: string
  /** Absent with `--no-page`. */
  readonly page?: string
}

export async function listen(sandbox: Sandbox, options: ListenOptions): Promise<SandboxServer> {
  try {
    return await sandbox.listen(options)
  } catch (error) {
    throw new CommandFailed(error instanceof Error ? error.message : String(error))
  }
}

export const usualPort = 4010
const MOST_TRIED = 100

/** At the usual port, so that the address is mostly the same; at the next free one where that is taken. */
export async function listenNearby(sandbox: Sandbox, options: ListenOptions): Promise<SandboxServer> {
  for (let port = usualPort; port < usualPort + MOST_TRIED; port += 1) {
    try {
      return await sandbox.listen({ ...options, port })
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') break
    }
  }
  return listen(sandbox, { ...options, port: 0 })
}

export function describe(
  sandbox: Sandbox,
  { url }: SandboxServer,
  options: Pick<SandboxOptions, 'basePath' | 'merchantCode' | 'timestampUnit'> & {
    readonly page: boolean
    readonly publicKey?: readonly string[] | undefined
    /** Where the key is; a file of this run otherwise. */
    readonly keyFile?: string | undefined
  },
  io: Io,
): Served {
  const { basePath = '', timestampUnit = 'seconds' } = options
  const page = options.page ? { page: `${url}/_sandbox/` } : {}
  if (options.publicKey !== undefined) {
    // Not asked for its own key: then there is none, and only the merchant's signs.
    const { merchantCode = 'SANDBOX-MERCHANT' } = options
    return { baseUrl: url + basePath, merchantCode, timestampUnit, ...page }
  }
  const { baseUrl, merchantCode } = sandbox.clientOptions()
  const privateKeyFile = options.keyFile ?? temporaryKey(sandbox, io)
  return { baseUrl, merchantCode, timestampUnit, privateKeyFile, ...page }
}

/** The variables that `GatewayClient.fromEnv` reads. */
function variablesOf({ baseUrl, merchantCode, timestampUnit, privateKeyFile }: Served): [string, string][] {
  return [
    ['GATEWAY_BASE_URL', baseUrl],
    ['GATEWAY_MERCHANT_CODE', merchantCode],
    // Said whatever it is: the shell may still have that of another gateway.
    ['GATEWAY_TIMESTAMP_UNIT', timestampUnit],
    ['GATEWAY_LIVE', 'false'],
    ...(privateKeyFile === undefined
      ? []
      : [['GATEWAY_PRIVATE_KEY_FILE', privateKeyFile] satisfies [string, string]]),
  ]
}

const ownKeyNote = '# GATEWAY_PRIVATE_KEY_FILE is the file of your own private key'

/** Ready to be pasted into a POSIX shell. */
export function linesOf(served: Served, envFile: string | undefined, notes: readonly string[]): string[] {
  const { baseUrl, page, privateKeyFile } = served
  const variables = variablesOf(served).map(([name, value]) => `export ${name}=${shellQuoted(value)}`)
  return [
    ...notes.map((note) => `# ${note}`),
    `# The sandbox gateway listens on ${baseUrl}, for this machine only.`,
    ...(page === undefined ? [] : [`# Its page: ${page}`]),
    ...(envFile === undefined
      ? variables
      : [`# Its variables are in ${envFile}: node --env-file=${envFile} …`]),
    ...(privateKeyFile === undefined ? [ownKeyNote] : []),
    '# Ctrl-C ends it.',
  ]
}

/** The key in a file that only this user can read, gone when the process is. */
export function temporaryKey(sandbox: Sandbox, io: Io): string {
  const parent = tmpdir()
  const folder = withFile(`${parent} (TMPDIR), where the file of the key is to be,`, () =>
    mkdtempSync(join(parent, 'merchant-gateway-')),
  )
  io.onExit(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'private-key.pem')
  const pem = sandbox.clientOptions().privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(file, pem, { flag: 'wx', mode: 0o600 })
  return file
}

const head = '# Written by merchant-gateway-sandbox, which writes it anew at each start.'

/**
 * Writes what `node --env-file` reads.
 *
 * @throws {CommandFailed} when the file holds anything else: the settings of a real gateway may be in it
 */
export function writeEnvFile(file: string, served: Served): void {
  withFile(file, () => {
    if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(head)) {
      throw new CommandFailed(
        `${file} is there already and was not written by the sandbox. Name another file, such as .env.sandbox.`,
      )
    }
    const lines = variablesOf(served).map(([name, value]) => `${name}=${quoted(value)}`)
    const note = served.privateKeyFile === undefined ? [ownKeyNote] : []
    writeFileSync(file, [head, ...lines, ...note, ''].join('\n'))
  })
}

/** The file has no escapes: a value stands in quotes that it does not hold. */
function quoted(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value
  const quote = ["'", '`', '"'].find((one) => !value.includes(one))
  if (quote !== undefined && !/[\r\n]/.test(value)) return quote + value + quote
  throw new CommandFailed('A value holds quotes or lines that no such file can hold.')
}

const FOLDER = '.merchant-gateway-sandbox'

interface KeyFile {
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
