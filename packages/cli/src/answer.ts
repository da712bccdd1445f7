import { networkProblem } from './network-problem.js'

/** One request as it goes out; the path is below the base path. */
export interface Question {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly path: string
  /** Undefined for one that is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
}

/** An answer in full. */
export interface Answer {
  readonly kind: 'answered'
  readonly status: number
  /** Media type without parameters, in lower case. */
  readonly contentType?: string
  readonly retryAfter: 'seconds' | 'date' | 'absent'
  /** How long to wait by `Retry-After`; absent where it says nothing that can be read. */
  readonly retryAfterMs?: number
  /** What the gateway's clock showed; absent without a `Date`. */
  readonly dateMs?: number
  readonly tookMs: number
  readonly body: string
}

export interface NoAnswer {
  readonly kind: 'none'
  /** Of Node, undici or this program: TIMEOUT, TOO_LONG. */
  readonly code: string
}

export type Reply = Answer | NoAnswer

/** Whether the gateway did what it was asked for. */
export function isSuccess(reply: Reply): reply is Answer {
  return reply.kind === 'answered' && reply.status >= 200 && reply.status <= 299
}

/** Whether the gateway said no, by which something can be learnt; a 5xx and a 429 are about something else. */
export function isRefusal(reply: Reply): reply is Answer {
  return reply.kind === 'answered' && reply.status >= 400 && reply.status <= 499 && reply.status !== 429
}

/** Why a reply shows nothing, as a sentence without its end. */
export function whyNot(reply: Reply): string {
  if (reply.kind === 'answered') return `it was answered ${reply.status}`
  if (reply.code === 'TOO_LONG') return 'its answer did not end within 1 MiB'
  return `no answer came: ${networkProblem(reply.code)}`
}

/** The media type of a header `Content-Type`, without parameters, in lower case. */
export function mediaType(header: string | undefined): string | undefined {
  return /^[\w.+-]+\/[\w.+-]+/.exec(header ?? '')?.[0].toLowerCase()
}

/** What the headers of an answer say. */
export function headerFacts(
  header: (name: string) => string | undefined,
  nowMs: number,
): Pick<Answer, 'contentType' | 'retryAfter' | 'retryAfterMs' | 'dateMs'> {
  const contentType = mediaType(header('content-type'))
  const retryAfter = header('retry-after')?.trim()
  const dateMs = Date.parse(header('date') ?? '')
  const isSeconds = retryAfter !== undefined && /^\d/.test(retryAfter)
  const form = retryAfter === undefined ? 'absent' : isSeconds ? 'seconds' : 'date'
  const retryAfterMs = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter ?? '') - nowMs
  return {
    ...(contentType === undefined ? {} : { contentType }),
    retryAfter: form,
    ...(Number.isFinite(retryAfterMs) ? { retryAfterMs: Math.max(0, retryAfterMs) } : {}),
    ...(Number.isNaN(dateMs) ? {} : { dateMs }),
  }
}
