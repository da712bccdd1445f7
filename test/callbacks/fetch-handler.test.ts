import { expect, test } from 'vitest'
import { FakeClient, receiverOver, succeeded } from './support.js'

const client = new FakeClient(() => succeeded)
const { receiver } = receiverOver(client)
const url = receiver.urlFor({ idPayin: 'order-1' })

/** As the runtimes call it: Next with a context, Bun with its server, Deno with what it knows of the connection. */
const runtimes: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  'Next (route handler)': (request) => {
    const { POST } = { POST: receiver.fetch }
    return Reflect.apply(POST, undefined, [request, { params: Promise.resolve({ path: ['x'] }) }])
  },
  'Bun.serve': (request) => Reflect.apply({ fetch: receiver.fetch }.fetch, { port: 3000 }, [request, {}]),
  'Deno.serve': (request) => Reflect.apply(receiver.fetch, undefined, [request, { remoteAddr: {} }]),
}

const bodies: Readonly<Record<string, () => RequestInit>> = {
  'no body': () => ({ method: 'POST' }),
  'an empty object': () => ({ method: 'POST', body: '{}' }),
  text: () => ({ method: 'POST', body: 'changed', headers: { 'content-type': 'text/plain' } }),
  '1 MB': () => ({ method: 'POST', body: 'x'.repeat(1024 * 1024) }),
  'a stream that never ends': () => ({ method: 'POST', body: endless(), duplex: 'half' }),
  GET: () => ({}),
  HEAD: () => ({ method: 'HEAD' }),
}

function endless(): ReadableStream {
  return new ReadableStream({ pull: () => new Promise(() => {}) })
}

for (const [runtime, call] of Object.entries(runtimes)) {
  test.each(Object.entries(bodies))(`${runtime}: %s is answered 204`, async (_title, init) => {
    const response = await call(new Request(`${url}?event=x`, init()))
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
}

test('a body that somebody has read, cloned or locked before is left alone', async () => {
  const read = new Request(url, { method: 'POST', body: '{}' })
  await read.json()
  const cloned = new Request(url, { method: 'POST', body: '{}' })
  cloned.clone()
  const locked = new Request(url, { method: 'POST', body: '{}' })
  locked.body?.getReader()
  for (const request of [read, cloned, locked]) expect((await receiver.fetch(request)).status).toBe(204)
})

test('what is not signed is answered 404, empty', async () => {
  const response = await receiver.fetch(new Request(`${url}x`, { method: 'POST', body: '{}' }))
  expect([response.status, await response.text()]).toEqual([404, ''])
})

test('a payment that cannot be looked up is answered 503 with Retry-After', async () => {
  const { receiver: other } = receiverOver(
    new FakeClient(() => {
      throw new Error('down')
    }),
  )
  const response = await other.fetch(new Request(url))
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30'])
})
