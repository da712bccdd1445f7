import { ConfigurationError } from '../../index.js'

/** BullMQ as the merchant has installed it. */
export type BullMQ = typeof import('bullmq')

/**
 * Loads BullMQ when it is needed, and not with this entry.
 *
 * @throws {ConfigurationError} when it is not installed, or older than its PostgreSQL backend.
 */
export async function loadBullmq(): Promise<BullMQ> {
  const remedy =
    'install bullmq 6.7 or newer of its major version 6 beside this package; nothing was queued or sent.'
  let bullmq: BullMQ
  try {
    bullmq = await import('bullmq')
  } catch (cause) {
    throw new ConfigurationError(`bullmq could not be loaded: ${remedy}`, {}, cause)
  }
  if (typeof bullmq.createPostgresBackend !== 'function') {
    throw new ConfigurationError(`bullmq is older than 6.7: ${remedy}`)
  }
  return bullmq
}
