import { ReadableStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallbackForm } from './form.js'

/** A callback on its way out: an HTTP POST, unless `sendCallback` was given another method. */
export interface CallbackRequest {
  /** The payment's `callbackUrl`. */
  readonly url: string
  /** HTTP method. */
  readonly method: string
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty for GET and HEAD. */
  readonly body: string
  /** How the body goes out in pieces; undefined for a whole one. */
  readonly chunked:
    | {
        /** How many pieces. */
        readonly chunks: number
        /** Between two pieces: milliseconds of real time. */
        readonly gapMs: number
      }
    | undefined
  /** Aborts at `callbackTimeoutMs` and when the sandbox is closed. */
  readonly signal: AbortSignal
}

/** How the merchant answered a callback. */
export interface CallbackReply {
  /** HTTP status; a 2xx ends the repetitions. */
  readonly status: number
  /** The body of the response, or its beginning; shown to whoever looks why a callback failed. */
  readonly body?: string | undefined
}

/** Carries a callback to the merchant and says with which status it was answered. */
export type DeliverCallback = (callback: CallbackRequest) => Promise<CallbackReply>

export function asRequest(form: CallbackForm, body: string): Omit<CallbackRequest, 'url' | 'signal'> {
  const { method = 'POST', contentType = 'application/json', chunks, chunkGapMs: gapMs = 0 } = form
  return {
    method,
    headers: { ...(contentType === '' ? {} : { 'content-type': contentType }), 'x-api-version': '2' },
    body: /^(?:get|head)$/i.test(method) ? '' : body,
    chunked: chunks === undefined && gapMs === 0 ? undefined : { chunks: chunks ?? 2, gapMs },
  }
}

export const callbackAgent = 'merchant-gateway-sandbox'

/** The default: by the global fetch, to http(s) only, with redirects taken as answers. */
export async function deliverByFetch(callback: CallbackRequest): Promise<CallbackReply> {
  const { url, method, body, chunked, signal } = callback
  const headers = { ...callback.headers, 'user-agent': callbackAgent }
  const init: RequestInit = { method, headers, signal, redirect: 'manual' }
  if (chunked !== undefined && body !== '') {
    const pieces = inChunks(body, chunked, signal)
    Object.assign(init, { body: ReadableStream.from(pieces), duplex: 'half' })
  } else if (body !== '') init.body = new TextEncoder().encode(body)
  const response = await fetch(url, init)
  return { status: response.status, body: await beginningOf(response) }
}

/** A body in pieces. It ends early when the signal fires. */
async function* inChunks(
  body: string,
  { chunks, gapMs }: NonNullable<CallbackRequest['chunked']>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  const size = Math.max(1, Math.ceil(bytes.length / chunks))
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0 && gapMs > 0) await pause(gapMs, undefined, { signal, ref: false })
    signal.throwIfAborted()
    yield bytes.subarray(start, start + size)
  }
}

/** A response is there with its status; of its body so much is read, and for so long. */
export const MOST_BODY_BYTES = 2048
const MOST_BODY_MS = 250

/** The beginning of a response's body; undefined where there is none, or it breaks off. */
export async function beginningOf({ body }: Response): Promise<string | undefined> {
  if (body === null) return undefined
  const reader = body.getReader()
  // Not awaited: a body that somebody has cloned, as msw does, is cancelled only with its copy.
  const stop = () => void reader.cancel().catch(() => {})
  const timer = setTimeout(stop, MOST_BODY_MS)
  timer.unref()
  const read: Uint8Array[] = []
  try {
    for (let bytes = 0; bytes < MOST_BODY_BYTES; ) {
      const { value } = await reader.read()
      if (value === undefined) break
      read.push(value)
      bytes += value.length
    }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    stop()
  }
  const text = Buffer.concat(read).subarray(0, MOST_BODY_BYTES).toString('utf8')
  return text === '' ? undefined : text
}
