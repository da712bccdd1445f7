import { within } from '../../client/input/within.js'
import { ConfigurationError, ConnectionError } from '../../index.js'
import type { EngineConnection } from './connection.js'

interface Starting<T> {
  waitUntilReady(): Promise<T>
  close(): Promise<unknown>
}

/**
 * Waits for the store, for so long and no longer, and closes what was opened when it does not come.
 *
 * @throws {ConfigurationError} when BullMQ's tables are missing or newer than BullMQ, naming the remedy.
 * @throws {ConnectionError} when the store does not answer.
 */
export async function untilReady<T>(
  starting: Starting<T>,
  { store }: EngineConnection,
  timeoutMs: number,
): Promise<T> {
  const late = () => new Error(`no answer within ${timeoutMs} ms`)
  try {
    return await within(timeoutMs, late, () => starting.waitUntilReady())
  } catch (cause) {
    // Not awaited: what never connected may never close.
    starting.close().catch(() => undefined)
    throw startError(cause, store)
  }
}

function startError(cause: unknown, store: string): ConfigurationError | ConnectionError {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'SchemaMigrationRequiredError') {
    return new ConfigurationError(
      "BullMQ's tables are not in this PostgreSQL schema: open the queue once with migrate: true, by a role that may create tables; nothing was queued or sent.",
      { option: 'migrate' },
      cause,
    )
  }
  if (name === 'SchemaVersionMismatchError') {
    return new ConfigurationError(
      "BullMQ's tables were made by a newer BullMQ than this: install that version here too; nothing was queued or sent.",
      {},
      cause,
    )
  }
  if (name === 'UnsupportedPostgresVersionError') {
    return new ConfigurationError(
      'this PostgreSQL is older than BullMQ takes; nothing was queued or sent.',
      { option: 'connection' },
      cause,
    )
  }
  return new ConnectionError(
    `the queue's store (${store}) can't be reached; nothing was queued or sent by this call, so check connection and try again.`,
    {},
    cause,
  )
}
