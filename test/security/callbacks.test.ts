import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import type { GatewayClient } from '../../src/index.js'
import { found, type HandMadeGateway, handMadeGateway, json } from '../faults/servers.js'
import { clientOf } from '../faults/support.js'
import { listen } from '../support/listening.js'
import { type Elsewhere, elsewhere } from './places.js'

const secret = 'a-secret-of-32-bytes-or-more-for-tests'
let gateway: HandMadeGateway
let other: Elsewhere
let client: GatewayClient
let receiver: CallbackReceiver
let port = 0
const server = createServer((request, response) => receiver.node()(request, response))

beforeAll(async () => {
  gateway = await handMadeGateway({ lookUp: [json(200, found('payout'))] })
  other = await elsewhere()
  client = clientOf(gateway.url, 'undici')
  const onPayout = () => undefined
  receiver = new CallbackReceiver({
    client,
    publicUrl: 'https://shop.example/hooks',
    secrets: [secret],
    onPayout,
  })
  port = await listen(server)
})
beforeEach(() => {
  gateway.requests.length = 0
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await client.close()
  await gateway[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

/** Sends bytes as they are, and resolves to the status line. */
function send(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n')))
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
    socket.on('error', reject)
  })
}

const signed = () => new URL(receiver.urlFor({ idPayout: 'order-1' })).pathname
const lookups = () => gateway.requests.filter(({ method }) => method === 'GET').map(({ path }) => path)

describe('a callback decides nothing of where its payment is looked up', () => {
  test('neither by its headers nor by its body', async () => {
    const body = JSON.stringify({
      url: other.url,
      idPayout: 'order-2',
      links: { self: `${other.url}/payouts/1` },
    })
    const status = await send(
      `POST ${signed()}?baseUrl=${other.url}&idPayout=order-2 HTTP/1.1`,
      `Host: ${other.host}`,
      `Forwarded: host=${other.host};proto=http`,
      `X-Forwarded-Host: ${other.host}`,
      `X-Original-URL: ${other.url}/`,
      `Link: <${other.url}>; rel=self`,
      `Location: ${other.url}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    )
    expect(status).toBe('HTTP/1.1 204 No Content')
    expect(lookups()).toEqual(['/payouts/order-1'])
    expect(other.connections()).toBe(0)
  })

  test('nor by an absolute URL on its request line', async () => {
    const line = `POST ${other.url}${signed()} HTTP/1.1`
    const status = await send(line, `Host: ${other.host}`, 'Content-Length: 0', 'Connection: close', '', '')
    expect(status).toBe('HTTP/1.1 204 No Content')
    const { status: fetched } = await receiver.fetch(
      new Request(`${other.url}${signed()}`, { method: 'POST' }),
    )
    expect(fetched).toBe(204)
    expect(new Set(lookups())).toEqual(new Set(['/payouts/order-1']))
    expect(other.connections()).toBe(0)
  })
})
