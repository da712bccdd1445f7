import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from '../support/listening.js'
import { FakeClient, receiverOver, succeeded } from './support.js'

test('drain lets the server close, though a caller keeps its connection and goes on calling', async () => {
  const { receiver } = receiverOver(new FakeClient(() => succeeded))
  const handle = receiver.node()
  let onCall = () => {}
  const server = createServer((callback, response) => {
    onCall()
    handle(callback, response)
  })
  const port = await listen(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { pathname: path } = new URL(receiver.urlFor({ idPayin: 'order-1' }))
  const connectionAfterCall = () =>
    new Promise((resolve, reject) => {
      const calling = request({ agent, port, path, method: 'POST' }, (response) => {
        response.resume().on('end', () => resolve(response.headers.connection))
      })
      calling.on('error', reject).end('{}')
    })
  expect(await connectionAfterCall()).toBe('keep-alive')
  await receiver.drain()
  // The connection is busy at that moment, so that it is not closed with those that are idle.
  onCall = () => server.close()
  const closed = once(server, 'close')
  expect(await connectionAfterCall()).toBe('close')
  await closed
  agent.destroy()
})
