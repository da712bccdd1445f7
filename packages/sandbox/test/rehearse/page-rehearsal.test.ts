import { expect, test } from 'vitest'
import { money } from '../../../../src/index.js'
import { openStage, sideBySide } from './stage.js'

const tea = {
  paymentRequested: { money: money('9.80', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
}

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

test('plays nothing until the command line or a program has named an application', async () => {
  await using stage = openStage()
  const { url } = await stage.sandbox.listen({ page: true })
  expect((await askAt(url, 'rehearsals')).json).toMatchObject({ isNamed: false, results: [] })
  expect(await askAt(url, 'rehearsals', { name: 'killed' })).toMatchObject({
    status: 409,
    json: { message: 'Name the application on the command line.' },
  })
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

test(
  'what could not be learnt is what the rehearsal has found, until it is learnt',
  sideBySide,
  async ({ expect }) => {
    await using stage = openStage({ callbackRetryAfterMs: 500 })
    const { sandbox: own, client } = stage
    let makesTwo = true
    const act = async (cart: number) => {
      await client.payins.create({ ...tea, idPayin: `cart-${cart}` })
      if (makesTwo) await client.payins.create(tea)
      return { isDone: true, says: 'answered 200' }
    }
    const { url } = await own.listen({ page: true, application: { act } })
    const ask = (path: string, body?: unknown) => askAt(url, path, body)
    expect((await ask('rehearsals')).json).toMatchObject({ isNamed: true })
    await ask('rehearsals', { name: 'answer-lost' })
    await expect.poll(async () => (await ask('rehearsals')).json.playing, { timeout: 10_000 }).toBeNull()
    expect((await ask('rehearsals')).json.results).toMatchObject([
      {
        sentence: expect.stringContaining('two payments, although nothing had gone wrong'),
        rule: expect.any(String),
      },
    ])
    makesTwo = false
    await ask('rehearsals', { name: 'rate-limited' })
    await expect.poll(async () => (await ask('rehearsals')).json.playing, { timeout: 20_000 }).toBeNull()
    expect((await ask('rehearsals')).json).toMatchObject({
      clean: { outcome: 'right' },
      results: [{ name: 'rate-limited' }],
    })
  },
)

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

test('plays no case that there is not, offers no kill of what it did not start, and no refused connection', async () => {
  await using stage = openStage()
  const application = { act: async () => ({ isDone: true, says: '' }), actText: 'pay --password canary' }
  const { url } = await stage.sandbox.listen({ page: true, application })
  const ask = (path: string, body?: unknown) => askAt(url, path, body)
  expect((await ask('rehearsals', { name: 'nothing-like-it' })).status).toBe(400)
  expect(await ask('rehearsals', { name: 'slow', route: 'GET /balances' })).toMatchObject({
    status: 400,
    json: { message: expect.stringMatching(/^Cases are played at one of these endpoints: POST \/payins/) },
  })
  const { json } = await ask('rehearsals')
  expect(json.cases).toContainEqual(
    expect.objectContaining({ name: 'killed', impossible: expect.stringContaining('started') }),
  )
  expect(json.cases).toContainEqual(
    expect.objectContaining({ name: 'refused', impossible: expect.any(String) }),
  )
  expect(JSON.stringify(json)).not.toContain('canary')
})
