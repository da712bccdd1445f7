import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, create, masterToken, paymentBody, stillSandbox } from '../support.js'

const sandbox = stillSandbox()
const callbacks: string[] = []
const server = setupServer(
  http.all('https://gw.example/*', ({ request }) => sandbox.fetch(request)),
  http.post('https://shop.example/callback', async ({ request }) => {
    callbacks.push(await request.text())
    return HttpResponse.json({})
  }),
)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(async () => {
  server.close()
  await sandbox.close()
})

test('one line makes the sandbox a handler of msw, and its callbacks reach other handlers', async () => {
  const token = await masterToken(sandbox)
  const body = paymentBody({ callbackUrl: 'https://shop.example/callback' })
  const made = await fetch('https://gw.example/payins/one', create(token, body))
  expect(made.status).toBe(200)
  await sandbox.clock.advance(1000)
  const read = await fetch('https://gw.example/payins/one', { headers: bearer(token) })
  expect(await read.json()).toMatchObject({ process: { status: 'SUCCESS' } })
  expect(callbacks).toEqual(['{}', '{}'])
})
