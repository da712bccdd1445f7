import { once } from 'node:events'
import { createServer } from 'node:http'
import express from 'express'
import { expect, test, vi } from 'vitest'
import { FakeClient, receiverOver, succeeded } from './support.js'

/** What a program in JavaScript hands over when it forgets the brackets. */
function withoutBrackets(method: 'node' | 'express' | 'fastify') {
  const { receiver } = receiverOver(new FakeClient(() => succeeded))
  return JSON.parse('{}', () => receiver[method])
}

test('a method without its brackets says so at the first callback, in Express', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = express().use('/cb', withoutBrackets('express')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const response = await fetch(`http://127.0.0.1:${port}/cb/1`, { method: 'POST' })
  expect(response.status).toBe(500)
  expect(await response.text()).toContain('express stands without brackets')
  server.close()
})

test('a method without its brackets says so at the first request, in node:http', () => {
  const server = createServer(withoutBrackets('node'))
  expect(() => server.emit('request', {}, {})).toThrow('write callbacks.node()')
})

test('a method without its brackets says so at the start, in Fastify', () => {
  expect(() => withoutBrackets('fastify')({}, {}, () => {})).toThrow('write callbacks.fastify()')
})
