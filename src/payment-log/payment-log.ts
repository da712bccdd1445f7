import { hostname } from 'node:os'
import { shownMessage } from '../client/observe/shown-message.js'
import {
  type CallEnded,
  InvalidInputError,
  isGatewayError,
  type ObservedAttempt,
  type ObservedCall,
  onGatewayEvent,
} from '../index.js'

/** Where the lines go: `process.stdout`, or `createWriteStream(file, { flags: 'a' })`. */
export interface PaymentLogStream {
  /** Takes one line with its end. */
  write(line: string): unknown
}

interface Ids {
  readonly idPayin?: string
  readonly idPayout?: string
}

/**
 * Writes what happens to payments, a line of JSON for each event: calls of every client in this process with their
 * attempts, callbacks, and what your functions did with them. `npx merchant-gateway explain ID --log FILE` tells the
 * life of one payment by it. A line holds the payment's id, the process and what was answered; no token, no account and
 * nothing else of a customer's. Listen to the stream's `error`: Node ends a process whose stream fails unheard.
 *
 * @param stream where lines go, for example a file that is opened to append.
 * @returns a function that ends it. The stream stays open.
 * @throws {InvalidInputError} for a stream that can't be written to.
 * @example
 * const file = createWriteStream('payments.ndjson', { flags: 'a' })
 * file.on('error', (error) => console.error('no payment log:', error.message))
 * const stop = paymentLog(file)
 */
export function paymentLog(stream: PaymentLogStream): () => void {
  if (typeof stream?.write !== 'function') {
    throw new InvalidInputError('stream must be an object with the method write; nothing is logged.', {
      field: 'stream',
    })
  }
  // The process id alone comes again: in a container it is always 1.
  const own = { process: crypto.randomUUID().slice(0, 8), pid: process.pid, host: hostname() }
  const numbers = new WeakMap<ObservedCall, number>()
  let calls = 0
  const write = (event: string, { idPayin, idPayout }: Ids, facts: object) => {
    const ids = { ...(idPayin !== undefined && { idPayin }), ...(idPayout !== undefined && { idPayout }) }
    const line = { v: 1, time: new Date().toISOString(), ...own, event, ...ids, ...facts }
    stream.write(`${JSON.stringify(line)}\n`)
  }
  const ofCall = (event: string, call: ObservedCall, facts: object) => {
    const { idPayin, idPayout, name } = call
    if (idPayin === undefined && idPayout === undefined) return
    let number = numbers.get(call)
    if (number === undefined) {
      number = ++calls
      numbers.set(call, number)
    }
    write(event, call, { call: number, name, ...facts })
  }
  const stops = [
    // Of what only reads, its end says all; a create may have been cut off between its lines.
    onGatewayEvent('merchant-gateway:call:start', ({ call }) => {
      if (isCreate(call)) ofCall('call:start', call, {})
    }),
    onGatewayEvent('merchant-gateway:attempt:start', ({ attempt }) => {
      if (isCreate(attempt.call)) ofCall('attempt:start', attempt.call, requestOf(attempt))
    }),
    onGatewayEvent('merchant-gateway:attempt:end', ({ attempt, status, outcome, failure, durationMs }) => {
      if (!isCreate(attempt.call)) return
      const facts = { ...requestOf(attempt), status, outcome, failure, durationMs: Math.round(durationMs) }
      ofCall('attempt:end', attempt.call, facts)
    }),
    onGatewayEvent('merchant-gateway:call:end', (ended) => ofCall('call:end', ended.call, resultOf(ended))),
    onGatewayEvent('merchant-gateway:callback', ({ result, status, durationMs, ...ids }) => {
      if (ids.kind !== undefined)
        write('callback', ids, { result, status, durationMs: Math.round(durationMs) })
    }),
    onGatewayEvent('merchant-gateway:delivery', ({ paymentStatus, result, failure, durationMs, ...ids }) => {
      write('delivery', ids, { paymentStatus, result, failure, durationMs: Math.round(durationMs) })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** By its name: in bulk, as a queue sends it, it waits in another lane. */
function isCreate({ name }: ObservedCall): boolean {
  return name.endsWith('.create')
}

function requestOf({ number, method, retryReason }: ObservedAttempt): object {
  return { attempt: number, method, retryReason }
}

function resultOf({ call, status, outcome, replayed, error, attempts, durationMs }: CallEnded): object {
  const code = isGatewayError(error) ? error.code : undefined
  return {
    status,
    outcome,
    replayed,
    ...(error === undefined ? {} : { code, message: shownMessage(error, code !== undefined, call) }),
    attempts,
    durationMs: Math.round(durationMs),
  }
}
