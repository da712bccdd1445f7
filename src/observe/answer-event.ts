import type { Hide } from '../redact/mask.js'
import { bodyShapeBy } from '../shapes/shape-by.js'
import type { AnswerEvent, ObservedClient } from './events.js'

/** An answer as it came, and what finds the secrets of its call. */
export interface CameAnswer {
  readonly name: string
  readonly route: string
  readonly status: number
  readonly headers: { get(name: string): string | undefined }
  readonly body: string
  readonly hide: Hide
}

/** Names and types of a larger one would take longer than the call did. */
const longestBody = 262_144

/** What may be told of an answer: its status and form, and no value. */
export function answerEvent(client: ObservedClient, answer: CameAnswer): AnswerEvent {
  const { name, route, status, headers, body, hide } = answer
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '')?.[0].toLowerCase()
  return {
    client,
    name,
    route,
    status,
    ...(type === undefined || hide(type) !== type ? {} : { contentType: type }),
    ...(status === 429 ? { retryAfter: formOf(headers.get('retry-after')) } : {}),
    ...(body === '' ? {} : { shape: shapeOfBody(body, hide) }),
  }
}

function formOf(retryAfter: string | undefined): 'seconds' | 'date' | 'absent' {
  if (retryAfter === undefined) return 'absent'
  return /^\s*\d/.test(retryAfter) ? 'seconds' : 'date'
}

function shapeOfBody(body: string, hide: Hide) {
  return body.length > longestBody ? 'any' : bodyShapeBy(body, hide)
}
