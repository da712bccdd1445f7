import { expect, it } from 'vitest'
import { clientOf } from '../../faults/support.js'
import { bearer } from '../../support/gateway.js'

const foreign = {
  factor: 'two',
  maxTimeout: 'none',
  randomize: true,
  shouldRetry: () => false,
  shouldConsumeRetry: 'no',
  maxRetryTime: -1,
  signal: AbortSignal.abort(),
}

it.each(Object.entries(foreign))('%s on Object.prototype changes no retry', async (name, value) => {
  let asked = 0
  const fetch: typeof globalThis.fetch = async (input) => {
    if (String(input).includes('/auth-tokens')) return Response.json({ token: bearer })
    return ++asked === 1 ? Response.json({}, { status: 401 }) : Response.json({})
  }
  await using client = clientOf('https://gateway.example', 'fetch', { fetch })
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
  try {
    await client.payins.retrieve('order-1')
  } finally {
    Reflect.deleteProperty(Object.prototype, name)
  }
  expect(asked).toBe(2)
})
