import { fieldAt, isObject, put } from '../../common/json.js'
import type { Clock } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import { type Ending, type GatewayResponse, refused } from '../wire/response.js'
import type { FaultAction } from './fault.js'
import { FIELD_OF_EVERY_PAYMENT, PROXY_STATUS, UNKNOWN_STATUS } from './fault-kinds.js'
import type { ResponseFault } from './magic-amounts.js'

export interface FaultTools {
  readonly until?: () => Promise<unknown>
  readonly clock: Clock
  readonly random: Random
  /** How long the payment of the request has been there, in ms; undefined when there is none. */
  ageMs(): number | undefined
  deliverCallbackFirst(): Promise<void>
  revokeToken(): void
}

/** The response to a request that a fault hits. `process` does what the gateway would do without the fault. */
export async function applyFault(
  fault: FaultAction,
  process: () => Promise<GatewayResponse>,
  tools: FaultTools,
): Promise<GatewayResponse> {
  switch (fault.kind) {
    case 'drop-before':
      return unanswered('drop')
    case 'drop-after':
      return { ...(await process()), ending: 'drop' }
    case 'cut-body':
    case 'stall-body':
      return { ...(await process()), ending: fault.kind }
    case 'timeout':
      if (fault.processed === true) await process()
      return unanswered('stall')
    case 'delay': {
      const jitterMs = (fault.jitterMs ?? 0) * tools.random.fraction()
      const early = fault.processed === 'late' ? undefined : await process()
      await Promise.race([
        tools.clock.sleep(fault.ms + jitterMs),
        ...(tools.until ? [tools.until().catch(() => {})] : []),
      ])
      return early ?? process()
    }
    case 'status': {
      if (fault.processed === true) await process()
      const body = fault.body ?? { code: 'FAULT', message: 'A fault that was armed in the sandbox.' }
      return { status: fault.status, body, headers: fault.headers ?? {}, verdict: 'FAULT' }
    }
    case 'html':
      if (fault.processed === true) await process()
      return htmlPage(fault.status ?? PROXY_STATUS)
    case 'mutate':
    case 'null-for-string':
    case 'extra-fields':
    case 'unknown-status': {
      const response = await process()
      // As JSON text, because a string in `body` goes out as it is, without quotes.
      const body = JSON.stringify(changedBody(fault, response.body)) ?? ''
      return { ...response, refusal: undefined, body }
    }
    case 'rate-limit':
      return {
        ...tooManyRequests(retryAfter(fault.retryAfterSecs, fault.as ?? 'seconds', tools.clock.now())),
        verdict: 'FAULT',
      }
    case 'hide': {
      const ageMs = tools.ageMs()
      if (ageMs === undefined || ageMs >= fault.ms) return process()
      return { ...refused(404, 'PAYMENT_NOT_FOUND', 'There is no payment with this id.'), verdict: 'FAULT' }
    }
    case 'overtaken':
      await process()
      return process()
    case 'callback-first': {
      const response = await process()
      await tools.deliverCallbackFirst()
      return response
    }
    case 'revoke-token':
      tools.revokeToken()
      return process()
    case 'skew-clock':
      tools.clock.skew(fault.ms, fault.forMs)
      return process()
  }
}

/** Section 7: above the rate the status is 429, and nothing is processed. */
export function tooManyRequests(headers: Readonly<Record<string, string>>): GatewayResponse {
  return refused(
    429,
    'TOO_MANY_REQUESTS',
    'More than the allowed requests per second; not processed.',
    headers,
  )
}

/** Retry-After, in whole seconds or as a date; rounded up, so that a client never comes back too early. */
export function retryAfter(
  secs: number | undefined,
  as: 'seconds' | 'date',
  nowMs: number,
): Readonly<Record<string, string>> {
  if (secs === undefined) return {}
  const date = new Date(Math.ceil(nowMs / 1000 + secs) * 1000).toUTCString()
  return { 'retry-after': as === 'date' ? date : String(Math.ceil(secs)) }
}

function unanswered(ending: Ending): GatewayResponse {
  return { status: 503, body: '', ending, verdict: 'FAULT' }
}

function htmlPage(status: number): GatewayResponse {
  const body = `<!DOCTYPE html>\n<html>\n<head><title>${status}</title></head>\n<body><h1>${status}</h1>\n<p>The proxy could not reach the server.</p></body>\n</html>\n`
  return { status, body, headers: { 'content-type': 'text/html; charset=utf-8' }, verdict: 'FAULT' }
}

type ChangingFault = Exclude<ResponseFault, { kind: 'hide' }>

/** @throws when null is to stand for a string and there is none: the test would then prove nothing (`Error`). */
function changedBody(fault: ChangingFault, json: unknown): unknown {
  switch (fault.kind) {
    case 'mutate': {
      const { change } = fault
      const copy = structuredClone(json)
      return typeof change === 'function' ? change(copy) : mergePatch(copy, change)
    }
    case 'null-for-string': {
      const { field = FIELD_OF_EVERY_PAYMENT } = fault
      if (!hasText(json, field)) throw new Error(`The response has no string at ${field}.`)
      return put(json, field, null)
    }
    case 'unknown-status': {
      const path = ['process.status', 'status'].find((place) => hasText(json, place))
      return path === undefined ? json : put(json, path, fault.status ?? UNKNOWN_STATUS)
    }
    case 'extra-fields':
      return withExtraFields(json)
  }
}

/** The same for every response about a payment: one that has no string where null is to stand stays as it is. */
export function changedWhereShown(fault: ChangingFault, json: unknown): unknown {
  const isLeft = fault.kind === 'null-for-string' && !hasText(json, fault.field ?? FIELD_OF_EVERY_PAYMENT)
  return isLeft ? json : changedBody(fault, json)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/** Section 9: new properties may come at any time. Adds some to every object, of every type and in front. */
function withExtraFields(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withExtraFields)
  if (!isObject(json)) return json
  const entries = Object.entries(json).map(([name, value]) => [name, withExtraFields(value)])
  return {
    addedLater: { list: [1, 'two', null], flag: true },
    addedToo: null,
    ...Object.fromEntries(entries),
  }
}

function hasText(json: unknown, path: string): boolean {
  return typeof fieldAt(json, path) === 'string'
}
