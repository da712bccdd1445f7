import { hasMethod } from '../../client/input/own.js'
import type { BullMQ } from './load-bullmq.js'

type Adapted = ReturnType<BullMQ['createNodeRedisClient']>

/**
 * A client of node-redis as BullMQ adapts it, with a listener that stays. BullMQ takes its own away when it closes, and
 * the next time that Redis goes away, the error of the merchant's client would be passed on to nobody and end the process.
 */
export function withListener({ createNodeRedisClient }: BullMQ, connection: object): object {
  const isOfNodeRedis = hasMethod(connection, 'sendCommand') && !hasMethod(connection, 'defineCommand')
  return isOfNodeRedis ? listening(createNodeRedisClient(connection)) : connection
}

function listening(client: Adapted): Adapted {
  client.on('error', () => undefined)
  const duplicate = client.duplicate.bind(client)
  client.duplicate = (...args) => listening(duplicate(...args))
  return client
}

interface Pool {
  on(
    event: 'connect',
    listener: (client: { on(event: 'error', listener: () => void): unknown }) => void,
  ): unknown
}

/**
 * A connection that BullMQ has taken out of its pool of pg has no listener: one that breaks then would end the process,
 * though the call that it was taken for rejects.
 */
export function listenTo(pool: Pool): void {
  pool.on('connect', (client) => client.on('error', () => undefined))
}
