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

/** Why a reply shows nothing, as a sentence without its end. */
export function whyNot(reply: Reply): string {
  if (reply.kind === 'answered') return `it was answered ${reply.status}`
  if (reply.code === 'TOO_LONG') return 'its answer did not end within 1 MiB'
  return `no answer came: ${networkProblem(reply.code)}`
}
