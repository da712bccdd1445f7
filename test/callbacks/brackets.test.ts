import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { FakeClient, receiverOver, succeeded } from './support.js'

/** What a program in JavaScript hands over when it forgets the brackets. */
function withoutBrackets(method: 'node' | 'express' | 'fastify') {
  const { receiver } = receiverOver(new FakeClient(() => succeeded))
  return JSON.parse('{}', () => receiver[method])
}

test('a method without its brackets says so at the first callback, in Express', () => {
  expect(() => withoutBrackets('express')({}, {}, () => {})).toThrow('express stands without brackets')
})

test('a method without its brackets says so at the first request, in node:http', () => {
  const server = createServer(withoutBrackets('node'))
  expect(() => server.emit('request', {}, {})).toThrow('write callbacks.node()')
})

test('a method without its brackets says so at the start, in Fastify', () => {
  expect(() => withoutBrackets('fastify')({}, {}, () => {})).toThrow('write callbacks.fastify()')
})
