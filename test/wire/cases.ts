import type { Outcome } from '../../src/index.js'
import type { ConnectionFault, Spoilt, WireFault } from './faults.js'
import type { Lengths } from './gateway.js'
import type { Way } from './setup.js'

/** A fault, and what a create without a retry may say of it. */
export interface Case<Fault> {
  readonly fault: Fault
  readonly says: readonly (Outcome | 'created')[]
}

const [created, unknown, notAccepted] = [['created'], ['unknown'], ['not-accepted']] as const
/** Where nothing answers, the time may also be over before the connection is there. */
const silent = ['unknown', 'not-accepted'] as const
const endings = ['end', 'reset'] as const

/** What can go wrong with one request and its response: at every byte of both, or at each so many bytes. */
export function* exchangeCases({ request, answer }: Lengths, step: number): Generator<Case<WireFault>> {
  for (const by of endings) {
    for (let at = 0; at < answer; at += step) yield { fault: { kind: 'answer-ends', at, by }, says: unknown }
    for (let at = 1; at <= request; at += step)
      yield { fault: { kind: 'request-ends', at, by }, says: unknown }
  }
  // All of it was there, and a reset may reach the client before it has read it.
  yield { fault: { kind: 'answer-ends', at: answer, by: 'end' }, says: created }
  yield { fault: { kind: 'answer-ends', at: answer, by: 'reset' }, says: ['created', 'unknown'] }
  yield { fault: { kind: 'answer-ends', at: 0, by: 'stall' }, says: silent }
  yield { fault: { kind: 'answer-ends', at: answer - 1, by: 'stall' }, says: silent }
  yield { fault: { kind: 'request-ends', at: request, by: 'stall' }, says: silent }
  yield { fault: { kind: 'late' }, says: silent }
  for (const at of [1, request >> 1, request]) {
    for (const status of [422, 413]) {
      yield { fault: { kind: 'early-answer', at, status, by: 'end' }, says: notAccepted }
      yield { fault: { kind: 'early-answer', at, status, by: 'reset' }, says: ['not-accepted', 'unknown'] }
    }
    for (const status of [200, 302, 408, 503]) {
      for (const by of endings) yield { fault: { kind: 'early-answer', at, status, by }, says: unknown }
    }
  }
  for (const bytes of [1, 2, 7, 64]) yield { fault: { kind: 'drip', bytes }, says: created }
  for (const by of endings) {
    for (const off of [1, 100, -1, -20, -100_000])
      yield { fault: { kind: 'wrong-length', off, by }, says: unknown }
    yield { fault: { kind: 'chunked', spoilt: 'nothing', by }, says: created }
    const spoilt = ['a size', 'a size too large', 'no end', 'a line end', 'half'] satisfies Spoilt[]
    for (const one of spoilt) yield { fault: { kind: 'chunked', spoilt: one, by }, says: unknown }
    for (const at of [0, 1, 50]) yield { fault: { kind: 'no-length', at, by }, says: unknown }
  }
  yield { fault: { kind: 'wrong-length', off: 1, by: 'stall' }, says: silent }
  yield { fault: { kind: 'no-length', at: answer, by: 'end' }, says: created }
  for (const bytes of ['x', '\r\n', 'HTTP/1.1 200 X\r\n\r\n', 'HTTP/1.1 400 X\r\ncontent-le']) {
    yield { fault: { kind: 'more', bytes }, says: created }
  }
}

/** What can go wrong with a connection before it carries a request. */
export function* connectionCases({ transport, tls }: Way, step: number): Generator<Case<ConnectionFault>> {
  for (const by of endings) {
    yield { fault: { kind: 'refused', by }, says: tls ? notAccepted : ['not-accepted', 'unknown'] }
  }
  for (const status of [422, 413]) {
    yield { fault: { kind: 'greeting', status }, says: ['not-accepted', 'unknown'] }
  }
  for (const status of [200, 408, 503]) {
    yield { fault: { kind: 'greeting', status }, says: ['not-accepted', 'unknown'] }
  }
  if (!tls) return
  for (const name of ['expired', 'otherHost', 'unknown'] as const) {
    yield { fault: { kind: 'certificate', name }, says: notAccepted }
  }
  yield { fault: { kind: 'plain-text' }, says: notAccepted }
  for (const by of endings) {
    for (let at = 1; at < handshakeBytes; at += step) {
      yield { fault: { kind: 'handshake-ends', after: 'client', at, by }, says: notAccepted }
      yield { fault: { kind: 'handshake-ends', after: 'server', at, by }, says: notAccepted }
    }
  }
  // fetch does not tell whether it waits for a connection or for a response.
  const stalled = transport === 'undici' ? notAccepted : silent
  yield { fault: { kind: 'handshake-ends', after: 'server', at: 100, by: 'stall' }, says: stalled }
}

/** Fewer than either side sends before the client takes the connection for made, also where it knows the server. */
const handshakeBytes = 200
