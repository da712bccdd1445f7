import type { PayoutQueue, PayoutWorker, PayoutWorkerOptions } from '../../bullmq/index.js'
import { type GatewayClient, isGatewayError } from '../../index.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { loadIoredis, loadPg } from './drivers.js'

export interface StoreOptions {
  readonly redis?: string
  readonly postgres?: string
  readonly queue?: string
  readonly budget?: string
  readonly migrate?: true
}

/** Where the queue is, and its name. */
export interface Store {
  readonly engine: 'redis' | 'postgres'
  readonly connection: string
  readonly name: string
  /** Whether tables may be made in PostgreSQL. */
  readonly migrate: boolean
  /** Name of the budget; the merchant code where it is absent. */
  readonly budget: string | undefined
}

/**
 * The store that the options name: by its address, or by the name of a variable that holds it, so that its
 * password is in no list of processes.
 *
 * @returns undefined when none is named: one process does the work.
 * @throws {CommandFailed} for two of them, and for what is no address. It repeats nothing of it.
 */
export function storeOf(
  { redis, postgres, queue, budget, migrate: mayMigrate }: StoreOptions,
  env: Environment,
): Store | undefined {
  if (redis !== undefined && postgres !== undefined) {
    throw new CommandFailed('--redis and --postgres are both given; a queue is in one of them.')
  }
  const name = queue ?? 'payouts'
  const common = { name, migrate: mayMigrate === true, budget }
  if (redis !== undefined)
    return { engine: 'redis', connection: addressOf(redis, '--redis', ['redis:', 'rediss:'], env), ...common }
  if (postgres !== undefined) {
    const connection = addressOf(postgres, '--postgres', ['postgres:', 'postgresql:'], env)
    return { engine: 'postgres', connection, ...common }
  }
  if (queue !== undefined)
    throw new CommandFailed('--queue names a queue in a store; give --redis or --postgres too.')
  if (budget !== undefined)
    throw new CommandFailed('--budget names a budget in a store; give --redis or --postgres too.')
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
    const { engine, connection, name, migrate } = store
    await (engine === 'redis' ? loadIoredis() : loadPg())
    const { payoutQueue } = await import('../../bullmq/index.js')
    return payoutQueue({ connection, name, migrate })
  })
}

export async function openWorker(
  client: GatewayClient,
  store: Store,
  options: Partial<PayoutWorkerOptions>,
): Promise<PayoutWorker> {
  return withStore(async () => {
    const { payoutWorker } = await import('../../bullmq/index.js')
    const { connection, name, migrate } = store
    return payoutWorker(client, { connection, name, migrate, ...options })
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
