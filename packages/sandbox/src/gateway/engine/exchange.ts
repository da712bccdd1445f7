import type { GatewayResponse } from '../wire/response.js'
import type { SandboxRequest } from './logged-request.js'

/** One request and its result, as {@link SandboxOptions.onExchange} gets it. */
export interface SandboxExchange {
  /** The request as the log holds it, with its status, its verdict and the fault that it met. */
  readonly request: SandboxRequest
  /** HTTP status of the response; undefined where a fault keeps it, or a part of it, from arriving. */
  readonly status: number | undefined
  /** The result, in a few words: why it was refused, or that no response arrives. */
  readonly meaning: string
  /** From its arrival until its response was ready: milliseconds of real time. */
  readonly tookMs: number
}

const withoutAnswer = {
  drop: 'the connection is reset in place of a response',
  'cut-body': 'the response breaks off in its body',
  'stall-body': 'the response stops in its body',
  stall: 'never answered',
} as const

/** What a response says, in a few words. Nothing of the request is in it. */
export function meaningOf({ status, verdict, refusal, ending = 'whole' }: GatewayResponse): string {
  if (ending !== 'whole') {
    return verdict === 'OK' ? `done, and ${withoutAnswer[ending]}` : withoutAnswer[ending]
  }
  if (refusal !== undefined) return refusal.message
  if (verdict === 'FAULT') return 'made up by a fault'
  if (status >= 400) return 'refused'
  return 'done'
}
