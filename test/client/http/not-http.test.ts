import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { handMadeGateway, text } from '../../faults/servers.js'
import { clientOf, create } from '../../faults/support.js'
import { caught } from '../../support/caught.js'
import { listen } from '../../support/listening.js'

const transports = ['undici', 'fetch'] as const

test.each(transports)(
  'a port that speaks another protocol is told of in the error, over %s',
  async (transport) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('SSH-2.0-OpenSSH_9.6\r\n')
    })
    await using client = clientOf(`http://127.0.0.1:${await listen(server)}`, transport, { retries: 0 })
    const { message, code } = await caught(() => create(client, 'payin'))
    server.close()
    expect(code).toBe('connection')
    expect(message).toContain('check the host and the port of baseUrl')
  },
)

test.each(transports)(
  'a web page in place of the gateway is told of in the error, over %s',
  async (transport) => {
    const page = text(200, '<!doctype html><title>Welcome</title>')
    await using gateway = await handMadeGateway({ token: [page, page] })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    const { message, code } = await caught(() => create(client, 'payin'))
    expect(code).toBe('unusable_response')
    expect(message).toContain('check baseUrl')
  },
)
