import type { CallbackForm } from '../../../gateway/callbacks/form.js'
import type { SettleOptions } from '../../../gateway/payments/payment.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import { PageRefusal } from '../http/responses.js'

const MOST_TIMES = 1000
const LONGEST_GAP_MS = 60_000

/** What the page says of a status that it gives by hand, beside the status. */
export function settleOptions(body: unknown): SettleOptions {
  const processed = isRecord(body) ? body.processed : undefined
  return typeof processed === 'boolean' ? { processed } : {}
}

/** The form of a callback that the page sends; `sendCallback` checks what is in it. */
export function callbackForm(body: unknown): CallbackForm {
  const {
    method,
    body: content,
    contentType,
    chunks,
    chunkGapMs,
    times,
    afterMs,
  } = isRecord(body) ? body : {}
  if (Number(times ?? 1) > MOST_TIMES || Number(chunks ?? 1) > MOST_TIMES) {
    throw new PageRefusal(400, `times and chunks are ${MOST_TIMES} at most.`)
  }
  if (Number(chunkGapMs ?? 0) > LONGEST_GAP_MS) {
    throw new PageRefusal(400, `chunkGapMs is ${LONGEST_GAP_MS} at most.`)
  }
  return {
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof content === 'string' ? { body: content } : {}),
    ...(typeof contentType === 'string' ? { contentType } : {}),
    ...(typeof chunks === 'number' ? { chunks } : {}),
    ...(typeof chunkGapMs === 'number' ? { chunkGapMs } : {}),
    ...(typeof times === 'number' ? { times } : {}),
    ...(typeof afterMs === 'number' ? { afterMs } : {}),
  }
}
