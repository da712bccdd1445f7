import { type RunContext, usualWaits } from '../../rehearse/context.js'
import type { Environment, Io } from '../io.js'
import { type SandboxFlags, sandboxOptions, withSentence } from '../sandbox-options.js'
import { describe, listen, type Served } from '../served.js'
import { Application, type ApplicationSettings } from './application.js'

export interface SandboxOptions extends Pick<SandboxFlags, 'options' | 'publicKey'> {
  readonly port: number
  /** The name by which the application reaches this machine: a container has one of its own for it. */
  readonly host?: string
}

const USUAL_RATE = 10
/** A case passes it, and a time zone that is read wrongly does. */
const HOUR_MS = 60 * 60 * 1000
const fixed = { payAfterMs: false, magicAmounts: false, callbackRetryAfterMs: 500 } as const

interface Rehearsed extends Omit<RunContext, 'orders'> {
  readonly application: Application
  close(): Promise<void>
}

/**
 * Opens a sandbox for an application, which is not started yet. The clock is the machine's: by any other one the
 * application's tokens and timestamps would be wrong.
 *
 * @param output the file that takes what the application's commands print
 */
export async function openSandbox(
  options: SandboxOptions & { readonly application: ApplicationSettings; readonly signal: AbortSignal },
  io: Io,
  output: number | 'ignore' = 'ignore',
): Promise<Rehearsed> {
  const { createSandbox } = await import('../../index.js')
  const settings = sandboxOptions(options, io)
  const sandbox = withSentence(() => createSandbox({ expireAfterMs: HOUR_MS, ...settings, ...fixed }))
  // Whoever reaches this machine by another name than a loopback's comes by another address.
  const address = options.host === undefined ? '127.0.0.1' : '0.0.0.0'
  try {
    const server = await listen(sandbox, { port: options.port, host: address, page: false })
    const served = describe(sandbox, server, { ...settings, page: false, publicKey: options.publicKey }, io)
    const baseUrl = served.baseUrl.replace(address, options.host ?? address)
    const environment = environmentOf({ ...served, baseUrl }, io.env)
    const { application, signal } = options
    return {
      ...usualWaits,
      pace: { ms: 0 },
      gateway: sandbox,
      rateLimit: settings.rateLimit ?? USUAL_RATE,
      application: new Application(application, { onExit: io.onExit, environment, output }),
      patienceMs: application.patienceMs,
      signal,
      close: () => sandbox.close(),
    }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

type Named = Pick<Served, 'baseUrl' | 'merchantCode' | 'timestampUnit' | 'privateKeyFile'>

/** What the application's processes see: this sandbox, and nothing of another gateway. */
function environmentOf(
  { baseUrl, merchantCode, timestampUnit, privateKeyFile }: Named,
  inherited: Environment,
): Record<string, string | undefined> {
  return {
    ...inherited,
    GATEWAY_BASE_URL: baseUrl,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_TIMESTAMP_UNIT: timestampUnit,
    GATEWAY_LIVE: 'false',
    ...(privateKeyFile !== undefined && {
      GATEWAY_PRIVATE_KEY_FILE: privateKeyFile,
      GATEWAY_PRIVATE_KEY: undefined,
      GATEWAY_PRIVATE_KEY_PASSPHRASE: undefined,
      GATEWAY_MERCHANT_SECRET: undefined,
    }),
  }
}
