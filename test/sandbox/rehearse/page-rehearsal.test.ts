import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/src/index.js'
import { money } from '../../../src/index.js'
import { openStage, sideBySide } from './stage.js'

const tea = {
  paymentRequested: { money: money('9.80', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
}

let sandbox: Sandbox
let url: string

beforeEach(async () => {
  sandbox = createSandbox()
  url = (await sandbox.listen({ page: true })).url
})
afterEach(() => sandbox.close())

const ask = (path: string, body?: unknown) => askAt(url, path, body)

async function askAt(
  page: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const sent = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${page}/_sandbox/api/${path}`, body === undefined ? {} : sent)
  const json: unknown = await response.json()
  expect(json).toBeTypeOf('object')
  return { status: response.status, json: { ...Object(json) } }
}

test('knows no application until somebody names one, and then forgets the one before', async () => {
  expect((await ask('rehearsals')).json).toMatchObject({ act: null, isFixed: false, results: [] })
  const act = 'POST http://localhost:3000/orders/{n}'
  expect((await ask('rehearsals/application', { act })).json).toMatchObject({ act })
  const other = 'POST http://localhost:4000/orders/{n}'
  const all = { act: other, status: 'http://localhost:4000/orders/{n}', paid: 'done' }
  expect((await ask('rehearsals/application', all)).json).toMatchObject({ act: other })
})

test(
  'plays all cases that can be played here, says how many are done, and keeps each verdict',
  sideBySide,
  async ({ expect }) => {
    await using stage = openStage({ callbackRetryAfterMs: 500 })
    const { sandbox: own, client } = stage
    const act = async (cart: number) => {
      await client.payins.create({ ...tea, idPayin: `cart-${cart}` })
      return { isDone: true, says: 'answered 200' }
    }
    const { url } = await own.listen({ page: true, application: { act } })
    const ask = (path: string, body?: unknown) => askAt(url, path, body)
    const { playing, cases } = (await ask('rehearsals', {})).json
    const all = Array.isArray(cases) ? cases.length : 0
    expect(playing).toMatchObject({ done: 0, all })
    const done = async () => Object((await ask('rehearsals')).json.playing).done
    await expect.poll(done, { timeout: 20_000 }).toBeGreaterThan(0)
    // What was found so far stays.
    await fetch(`${url}/_sandbox/api/rehearsals`, { method: 'DELETE' })
    const { results, clean, playing: stopped } = (await ask('rehearsals')).json
    expect(stopped).toBeNull()
    expect(clean).toMatchObject({ outcome: 'right' })
    expect(results).toContainEqual(expect.objectContaining({ name: Object(cases)[0].name, outcome: 'right' }))
  },
)

test('what could not be learnt is what the rehearsal has found', sideBySide, async ({ expect }) => {
  await using stage = openStage({ callbackRetryAfterMs: 500 })
  const { sandbox: own, client } = stage
  const act = async () => {
    await client.payins.create(tea)
    await client.payins.create(tea)
    return { isDone: true, says: 'answered 200' }
  }
  const { url } = await own.listen({ page: true, application: { act } })
  const ask = (path: string, body?: unknown) => askAt(url, path, body)
  expect((await ask('rehearsals')).json).toMatchObject({ isFixed: true })
  await ask('rehearsals', { name: 'answer-lost' })
  await expect.poll(async () => (await ask('rehearsals')).json.playing, { timeout: 10_000 }).toBeNull()
  expect((await ask('rehearsals')).json.results).toMatchObject([
    {
      sentence: expect.stringContaining('two payments, although nothing had gone wrong'),
      rule: expect.any(String),
    },
  ])
})

test(
  'a case is played at a look-up, and there alone where somebody has chosen that',
  sideBySide,
  async ({ expect }) => {
    await using stage = openStage({ callbackRetryAfterMs: 500 })
    const { sandbox: own, client } = stage
    const act = async (cart: number) => {
      await client.payins.create({ ...tea, idPayin: `cart-${cart}` })
      await client.payins.retrieve(`cart-${cart}`)
      return { isDone: true, says: 'exit code 0' }
    }
    const { url } = await own.listen({ page: true, application: { act } })
    const ask = (path: string, body?: unknown) => askAt(url, path, body)
    for (const [index, order] of [
      { name: 'rate-limited', route: 'GET /payins/{idPayin}' },
      { name: 'rate-limited' },
      { name: 'answer-twice', route: 'GET /payins/{idPayin}' },
    ].entries()) {
      await ask('rehearsals', order)
      const results = expect.poll(async () => (await ask('rehearsals')).json.results, { timeout: 10_000 })
      await results.toHaveLength(index + 1)
    }
    const shown = (await ask('rehearsals')).json.results
    expect(shown).toContainEqual(
      expect.objectContaining({ name: 'rate-limited', route: 'GET /payins/{idPayin}' }),
    )
    expect(shown).toContainEqual(expect.objectContaining({ name: 'rate-limited', route: null }))
    expect(shown).toContainEqual(
      expect.objectContaining({ name: 'answer-twice', sentence: 'not played: it happens to a create only' }),
    )
  },
)

test.each([
  [{ act: 'rm -rf {n}' }, 'The page sends requests only'],
  [{ act: 'POST https://shop.example/{n}' }, 'to this machine only'],
  [{ act: 'POST http://u:p@localhost:1/{n}' }, 'holds no password'],
  [{ act: 'POST http://localhost:1/{n}', before: 'POST http://localhost:1/{n}' }, 'before is not known'],
  [{ act: 'POST http://localhost:1/{n}', status: 'http://10.0.0.1/' }, 'to this machine only'],
  [{}, 'act must be what a customer does'],
  [
    { act: 'POST http://localhost:1/{n} {"t":"eyJhbGciOiJSUzI1NiJ9.x"}' },
    'act holds a key or a token itself',
  ],
  [{ act: 'POST http://localhost:1/{n}', status: 'http://localhost:1/?t=eyJhbGciOiJSUzI1NiJ9.x' }, 'itself'],
  [{ act: 'POST http://localhost:1/{n}', status: 'http://localhost:1/{n}' }, 'Say what the answer contains'],
  [{ act: 'POST http://localhost:1/{n} password=[left out]' }, 'Put in what is left out of act'],
])('refuses %j as an application', async (order, sentence) => {
  const { status, json } = await ask('rehearsals/application', order)
  expect(status).toBe(400)
  expect(json.message).toContain(sentence)
})

test('shows every page that is open what a customer does, without a password in it', async () => {
  const act = 'POST http://localhost:3000/orders/{n} user=jane&password=canary'
  const named = await ask('rehearsals/application', { act })
  expect(named.json.act).toBe('POST http://localhost:3000/orders/{n} [left out]')
  expect(JSON.stringify((await ask('rehearsals')).json)).not.toContain('canary')
})

test('plays nothing without an application, and no case that there is not', async () => {
  expect((await ask('rehearsals', { name: 'killed' })).status).toBe(409)
  await ask('rehearsals/application', { act: 'POST http://localhost:3000/{n}' })
  expect((await ask('rehearsals', { name: 'nothing-like-it' })).status).toBe(400)
  expect(await ask('rehearsals', { name: 'slow', route: 'GET /balances' })).toMatchObject({
    status: 400,
    json: { message: expect.stringMatching(/^Cases are played at one of these endpoints: POST \/payins/) },
  })
})

test('offers no kill to an application that it did not start, and no refused connection', async () => {
  const { cases } = (await ask('rehearsals')).json
  expect(cases).toContainEqual(
    expect.objectContaining({ name: 'killed', impossible: expect.stringContaining('started') }),
  )
  expect(cases).toContainEqual(expect.objectContaining({ name: 'refused', impossible: expect.any(String) }))
})
