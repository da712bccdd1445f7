import { expect, test } from 'vitest'
import { GatewayClient, type Limiter } from '../../../src/index.js'
import { privatePem } from '../../support/vectors.js'

function clientOf(merchantCode: string, rateLimit: Limiter) {
  const fetch = async () => Response.json({ token: 'a.b.c' })
  return new GatewayClient({
    baseUrl: 'https://gateway.example',
    privateKey: privatePem,
    merchantCode,
    rateLimit,
    fetch,
  })
}

test('a client asks the limiter that it is given for its account', async () => {
  const asked: string[] = []
  const limiterOf = (name: string): Limiter => ({ acquire: () => void asked.push(name) })
  const rateLimit = { ...limiterOf('nobody'), forAccount: limiterOf }
  const clients = ['M-1', 'M-2', 'M-1'].map((code) => clientOf(code, rateLimit))
  for (const client of clients) await client.request({ method: 'GET', path: '/x', operations: ['GET /x'] })
  expect(new Set(asked)).toEqual(new Set(clients.map(({ account }) => account)))
  expect(new Set(asked).size).toBe(2)
})

test('and a limiter without that is used as it is, by whoever has it', async () => {
  let asked = 0
  const rateLimit: Limiter = { acquire: () => void asked++ }
  for (const code of ['M-1', 'M-2'])
    await clientOf(code, rateLimit).request({ method: 'GET', path: '/x', operations: ['GET /x'] })
  expect(asked).toBeGreaterThanOrEqual(2)
})
