import { within } from '../../client/input/within.js'
import { ConnectionError } from '../../index.js'

/** How sockets and PostgreSQL name a store that is away, or about to go. */
const codes =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[1-3]|08\w{3})$/
/** What ioredis, node-redis and pg say where they give no code. */
const sentences =
  /enableOfflineQueue|connection is closed|max retries per request|client is (?:closed|offline)|socket closed|connection terminated|timeout exceeded when trying to connect/i

/** Whether a library has failed because its store can't be reached, and not because of what it was asked. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // node-redis says no more of a command that waited for too long.
  if (error.constructor.name === 'TimeoutError' && error.message === '') return true
  return codes.test(code) || sentences.test(error.message)
}

/** A store that stands still is as good as away; a batch takes far less. */
const longestMs = 30_000

class NoAnswer extends Error {}

/** Makes the calls of a queue end with an error of ours where the store is away, or gives no answer, or the queue is closed. */
export function toldAway(store: string, closed?: AbortSignal) {
  const late = () =>
    new NoAnswer(closed?.aborted ? 'the queue was closed' : `no answer within ${longestMs} ms`)
  return <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        if (closed?.aborted) throw late()
        return await within(longestMs, late, () => call(...args), closed)
      } catch (cause) {
        if (!(cause instanceof NoAnswer || isStoreAway(cause))) throw cause
        const [why, when] = closed?.aborted
          ? ['this queue was closed', 'on one that is open']
          : [`the queue's store (${store}) can't be reached`, 'when the store is there']
        throw new ConnectionError(
          `${why}; whether this call has changed the queue is not known, and a payment is queued once for its id, so call again ${when}.`,
          {},
          cause,
        )
      }
    }
}
