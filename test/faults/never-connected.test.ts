import { runInNewContext } from 'node:vm'
import { Agent, buildConnector } from 'undici'
import { describe, expect, test } from 'vitest'
import type { SomeOptions } from '../support/client-options.js'
import { anyToken, handMadeGateway, json } from './servers.js'
import { clientOf, create, failure, type Kind } from './support.js'

const coded = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall })

/** Errors of another realm, as Jest's programs get them from Node, are instances of no class here. */
const ofAnotherRealm: Error = runInNewContext("Object.assign(new Error('no'), { code: 'ECONNREFUSED' })")

const causes: readonly (readonly [name: string, error: Error | undefined])[] = [
  ['nobody listens', coded('ECONNREFUSED', 'connect')],
  ['the host has no such name', coded('ENOTFOUND', 'getaddrinfo')],
  ['the name can not be looked up just now', coded('EAI_AGAIN', 'getaddrinfo')],
  ['undici gives the connection up', coded('UND_ERR_CONNECT_TIMEOUT')],
  ['there is no route', coded('EHOSTUNREACH', 'connect')],
  ['the kernel gives the connection up', coded('ETIMEDOUT', 'connect')],
  ['the certificate is not good yet', coded('CERT_NOT_YET_VALID')],
  [
    'no address of several can be reached',
    new AggregateError([coded('ECONNREFUSED', 'connect'), coded('ETIMEDOUT', 'connect')]),
  ],
  ['the handshake is reset', coded('ECONNRESET', 'read')],
  ['the error is of another realm', ofAnotherRealm],
  ['nothing answers, until the caller gives up', undefined],
]

/** Gives out one connection, for the token. Every later one fails, or hangs and says so. */
function oneConnection(error: Error | undefined, onHang: () => void): Agent {
  const connectIt = buildConnector({})
  let connections = 0
  return new Agent({
    connect: (options, done) => {
      if (connections++ === 0) connectIt(options, done)
      else queueMicrotask(error === undefined ? onHang : () => done(error, null))
    },
  })
}

function over(transport: string, dispatcher: Agent): SomeOptions {
  if (transport === 'a dispatcher') return { dispatcher, allowInsecureHttp: true }
  // What Node's fetch takes beside the standard options.
  return { fetch: (input, init) => globalThis.fetch(input, Object.assign({}, init, { dispatcher })) }
}

const matrix = (['payin', 'payout'] as const).flatMap((kind) =>
  ['a dispatcher', 'fetch'].map((transport) => ({ kind, transport })),
)

describe.each<{ kind: Kind; transport: string }>(matrix)('creating a $kind over $transport', (setup) => {
  test.concurrent.each(causes)('is not accepted where no connection is made: %s', async (_name, error) => {
    const closing = json(200, { token: anyToken }, { connection: 'close' })
    await using gateway = await handMadeGateway({ token: [closing] })
    const caller = new AbortController()
    const dispatcher = oneConnection(error, () => caller.abort())
    const options = { ...over(setup.transport, dispatcher), retries: 0 }
    await using client = clientOf(gateway.url, 'undici', options)
    expect(await failure(create(client, setup.kind, {}, { signal: caller.signal }))).toMatchObject({
      code: error === undefined ? 'aborted' : 'connection',
      outcome: 'not-accepted',
    })
    expect(gateway.requests.map(({ path }) => path)).toEqual(['/auth-tokens'])
    await dispatcher.destroy()
  })
})
