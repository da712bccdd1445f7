import type { PayoutQueue, PayoutWorker, PayoutWorkerOptions } from '../../bullmq/index.js'
import { type GatewayClient, isGatewayError } from '../../index.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'

export interface StoreOptions {
  readonly redis?: string
  readonly postgres?: string
  readonly queue?: string
  readonly migrate?: true
}

/** Where the queue is, and its name. */
export interface Store {
  readonly connection: string
  readonly name: string
  /** Whether BullMQ's tables may be made in PostgreSQL. */
  readonly migrate: boolean
}

/**
 * The store that the options name: by its address, or by the name of a variable that holds it, so that its
 * password is in no list of processes.
 *
 * @returns undefined when none is named: one process does the work.
 * @throws {CommandFailed} for two of them, and for what is no address. It repeats nothing of it.
 */
export function storeOf(
  { redis, postgres, queue, migrate: mayMigrate }: StoreOptions,
  env: Environment,
): Store | undefined {
  if (redis !== undefined && postgres !== undefined) {
    throw new CommandFailed('--redis and --postgres are both given; a queue is in one of them.')
  }
  const name = queue ?? 'payouts'
  const migrate = mayMigrate === true
  if (redis !== undefined)
    return { connection: addressOf(redis, '--redis', ['redis:', 'rediss:'], env), name, migrate }
  if (postgres !== undefined) {
    return { connection: addressOf(postgres, '--postgres', ['postgres:', 'postgresql:'], env), name, migrate }
  }
  if (queue !== undefined)
    throw new CommandFailed('--queue names a queue in a store; give --redis or --postgres too.')
  return undefined
}

function addressOf(given: string, option: string, protocols: readonly string[], env: Environment): string {
  const variable = /^[A-Za-z_]\w*$/.test(given) ? given : undefined
  const address = variable === undefined ? given : (env[variable] ?? '')
  if (URL.canParse(address) && protocols.includes(new URL(address).protocol)) return address
  throw new CommandFailed(
    `${option} must be an address such as ${protocols[0]}//127.0.0.1, or the name of a variable that holds one; nothing was sent.`,
  )
}

export async function openQueue(store: Store): Promise<PayoutQueue> {
  return withStore(async () => {
    const { payoutQueue } = await import('../../bullmq/index.js')
    return payoutQueue(store)
  })
}

export async function openWorker(
  client: GatewayClient,
  store: Store,
  options: Partial<PayoutWorkerOptions>,
): Promise<PayoutWorker> {
  return withStore(async () => {
    const { payoutWorker } = await import('../../bullmq/index.js')
    return payoutWorker(client, { ...store, ...options })
  })
}

/** What a store's own errors say may hold its address, and the password in it. */
export async function withStore<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    if (isGatewayError(error)) {
      if (error.code !== 'configuration') throw error
      throw new CommandFailed(
        error.message.replace(
          'open the queue once with migrate: true',
          'run "payouts send" once with --migrate',
        ),
      )
    }
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code).slice(0, 40)})` : ''
    throw new CommandFailed(
      `the store did not do what was asked of it${code}; what is in the queue stays there, so mend the connection and run this again.`,
      exitCodes.unreachable,
    )
  }
}
