/**
 * Ends the connections that BullMQ has opened, where the store can't be told goodbye: its own `close` waits for answers
 * that never come, and for an end that ioredis doesn't name between two tries to connect. What BullMQ and pg keep to
 * themselves is looked for, and left as it is where it isn't found. A client of the merchant's own stays open.
 */
export function dropConnections(backend: unknown): void {
  for (const name of ['blockingConnection', 'connection']) {
    const connection = fieldOf(backend, name)
    if (fieldOf(fieldOf(connection, 'extraOptions'), 'shared') !== true)
      dropRedis(fieldOf(connection, '_client'))
    const pooled = fieldOf(fieldOf(connection, 'pool'), '_clients')
    for (const client of [fieldOf(connection, 'listenClient'), ...(Array.isArray(pooled) ? pooled : [])]) {
      const socket = fieldOf(fieldOf(client, 'connection'), 'stream')
      callOf(socket, 'destroy')
    }
  }
}

/**
 * Stops the timers of a worker, to which BullMQ comes last: never, where a client of the merchant's own keeps what it was
 * asked for when it is connected again.
 */
export function stopTimers(worker: unknown): void {
  callOf(worker, 'stalledCheckStopper')
  callOf(fieldOf(worker, 'lockManager'), 'close')
}

const ignore = () => undefined
const isClosed = () => new Error('Connection is closed.')

/**
 * Nothing that still waits for it connects it again, and an error that it meets at its end is no line in the log. What
 * ioredis keeps for when it is connected again would otherwise stay without an answer.
 */
function dropRedis(client: unknown): void {
  if (typeof client !== 'object' || client === null) return
  // Once, however often it is dropped.
  callOf(client, 'off', 'error', ignore)
  callOf(client, 'on', 'error', ignore)
  Reflect.set(client, 'connect', () => Promise.reject(isClosed()))
  callOf(client, 'disconnect')
  if (fieldOf(client, 'status') !== 'reconnecting') return
  Reflect.set(client, 'status', 'end')
  callOf(client, 'flushQueue', isClosed())
  callOf(client, 'emit', 'end')
}

function callOf(of: unknown, name: string, ...args: unknown[]): void {
  const method = fieldOf(of, name)
  if (typeof method === 'function') Reflect.apply(method, of, args)
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
}
