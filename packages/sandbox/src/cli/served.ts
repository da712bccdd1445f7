import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

export function describe(
  sandbox: Sandbox,
  { url }: SandboxServer,
  options: Pick<SandboxOptions, 'basePath' | 'merchantCode' | 'timestampUnit'> & {
    readonly page: boolean
    readonly publicKey?: readonly string[] | undefined
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
  const { baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return {
    baseUrl,
    merchantCode,
    timestampUnit,
    privateKeyFile: temporaryFile('private-key.pem', pem, io),
    ...page,
  }
}

/** Ready to be pasted into a POSIX shell. */
export function linesOf({ baseUrl, merchantCode, timestampUnit, privateKeyFile, page }: Served): string[] {
  const key =
    privateKeyFile === undefined
      ? ['# GATEWAY_PRIVATE_KEY_FILE is the file of your own private key']
      : [`export GATEWAY_PRIVATE_KEY_FILE=${shellQuoted(privateKeyFile)}`]
  return [
    `# The sandbox gateway listens on ${baseUrl}, for this machine only.`,
    ...(page === undefined ? [] : [`# Its page: ${page}`]),
    `export GATEWAY_BASE_URL=${shellQuoted(baseUrl)}`,
    `export GATEWAY_MERCHANT_CODE=${shellQuoted(merchantCode)}`,
    // Said whatever it is: the shell may still have that of another gateway.
    `export GATEWAY_TIMESTAMP_UNIT=${timestampUnit}`,
    'export GATEWAY_LIVE=false',
    ...key,
    '# Ctrl-C ends it.',
  ]
}

/** A file that only this user can read, gone when the process is. */
function temporaryFile(name: string, content: string | Buffer, io: Io): string {
  const parent = tmpdir()
  const folder = withFile(`${parent} (TMPDIR), where the file of the key is to be,`, () =>
    mkdtempSync(join(parent, 'merchant-gateway-')),
  )
  io.onExit(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
  return file
}
