import { InvalidInputError } from '../../index.js'
import type { EngineConnection } from './connection.js'
import type { BullMQ } from './load-bullmq.js'
import type { EngineQueue } from './open-queue.js'
import type { PostgresTransaction } from './types.js'

interface Parts {
  readonly bullmq: BullMQ
  readonly engine: EngineConnection
  readonly name: string
}

/**
 * Hands a queue whose every statement runs on the merchant's own connection, so that it commits and rolls back with
 * what else the transaction does. BullMQ's functions are found by the search path, which is put back afterwards.
 *
 * @throws {InvalidInputError} over Redis, and for a connection on which no transaction was begun.
 */
export async function inTransaction<T>(
  { bullmq, engine, name }: Parts,
  transaction: PostgresTransaction,
  work: (queue: Pick<EngineQueue, 'addBulk' | 'getJobCounts' | 'getJob'>) => Promise<T>,
): Promise<T> {
  if (engine.store !== 'postgres') {
    throw refused(
      'needs a queue over PostgreSQL; with Redis, write a row in your transaction and add it after that',
    )
  }
  const { schema } = engine
  const { rows } = await transaction.query("SELECT current_setting('search_path') AS path")
  const [{ path = '' } = {}] = rows
  await setPath(transaction, `"${schema}"`)
  const now = await transaction.query("SELECT current_setting('search_path') AS path")
  if (now.rows[0]?.path !== `"${schema}"`) {
    throw refused('is a connection without a transaction: send BEGIN first, and COMMIT or ROLLBACK after it')
  }
  const result = await work(queueOn(bullmq, transaction, name, schema))
  // Not when it failed: PostgreSQL takes nothing more then but the rollback, which puts it back.
  await setPath(transaction, String(path))
  return result
}

const setPath = (transaction: PostgresTransaction, path: string) =>
  transaction.query("SELECT set_config('search_path', $1, true)", [path])

function refused(why: string): InvalidInputError {
  return new InvalidInputError(`transaction ${why}; nothing was queued.`, { field: 'transaction' })
}

/** BullMQ's queue on one connection that is there already: it checks nothing, listens to nothing and closes nothing. */
function queueOn(
  bullmq: BullMQ,
  transaction: PostgresTransaction,
  name: string,
  schema: string,
): Pick<EngineQueue, 'addBulk' | 'getJobCounts' | 'getJob'> {
  const pool: unknown = {
    query: (text: string, values?: readonly unknown[]) => transaction.query(text, values && [...values]),
    connect: () => Promise.reject(new TypeError('a transaction has one connection')),
    end: () => Promise.resolve(),
    on: () => undefined,
    removeAllListeners: () => undefined,
  }
  if (!bullmq.isPgPool(pool)) throw new TypeError('no pool for BullMQ')
  class OneTransaction extends bullmq.PostgresConnection {
    override readonly schema = schema
    override waitUntilReady() {
      return Promise.resolve()
    }
  }
  // Without the version and the length of the event stream, which a queue writes at its start and doesn't wait for.
  const options = { connection: pool, skipMetasUpdate: true }
  const connection = new OneTransaction(pool)
  return new bullmq.Queue(
    name,
    options,
    () => new bullmq.PostgresQueueBackend(connection, name, options, false),
  )
}
