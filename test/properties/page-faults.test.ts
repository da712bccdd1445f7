import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FaultOrder } from '../../sandbox/src/desk/control/messages/controls.js'
import { callbackFaultFields, faultFields, placesOf } from '../../sandbox/src/gateway/faults/fault-fields.js'
import type { CallbackFaultAction, FaultAction, RouteName, Sandbox } from '../../sandbox/src/index.js'
import { type PageOf, pageOf } from '../sandbox/control/page.js'
import { bearer, masterToken, ORIGIN, paymentBody, privatePem, SIGNED_AT } from '../sandbox/support.js'

const ms = fc.integer({ min: 0, max: 5000 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const status = fc.integer({ min: 200, max: 599 })
const processed = maybe(fc.boolean())
const json = fc.dictionary(
  fc.constantFrom('a', 'b', 'process'),
  fc.constantFrom(null, 1, 'x', { c: null, d: 2 }),
)

/** Every kind with every field; a kind or a field that is missing does not compile. */
const actions: {
  readonly [Kind in FaultAction['kind']]: {
    readonly [Name in Exclude<keyof Extract<FaultAction, { kind: Kind }>, 'kind'>]-?: fc.Arbitrary<unknown>
  }
} = {
  'drop-before': {},
  'drop-after': {},
  'cut-body': {},
  'stall-body': {},
  timeout: { processed },
  delay: { ms, jitterMs: maybe(ms), processed: maybe(fc.constantFrom('on-arrival', 'late')) },
  status: {
    status,
    body: maybe(fc.oneof(fc.constantFrom('text', ''), json)),
    headers: maybe(fc.constant({ 'x-fault': 'yes' })),
    processed,
  },
  html: { status: maybe(status), processed },
  mutate: { change: json },
  'rate-limit': { retryAfterSecs: maybe(fc.nat(9)), as: maybe(fc.constantFrom('seconds', 'date')) },
  hide: { ms },
  overtaken: {},
  'callback-first': {},
  'revoke-token': {},
  'skew-clock': { ms: fc.integer({ min: -5000, max: 5000 }), forMs: ms },
}
const callbackActions: {
  readonly [Kind in CallbackFaultAction['kind']]: {
    readonly [Name in Exclude<
      keyof Extract<CallbackFaultAction, { kind: Kind }>,
      'kind'
    >]-?: fc.Arbitrary<unknown>
  }
} = { missing: {}, twice: {}, late: { ms }, swapped: {} }

const keys = <Key extends string>(of: { readonly [K in Key]: unknown }) => {
  const list: Key[] = []
  for (const key in of) list.push(key)
  return list
}

function fieldsOf<Kind extends string>(
  all: { readonly [K in Kind]: Readonly<Record<string, fc.Arbitrary<unknown>>> },
  kind: Kind,
): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return all[kind]
}

/** A fault as the page sends it: JSON, so what is undefined is not there. */
function order(kind: FaultAction['kind']): fc.Arbitrary<unknown> {
  return fc
    .record({
      at: fc.constant('request'),
      route: fc.constantFrom(...placesOf(kind).filter((place) => !place.includes('auth-tokens'))),
      times: maybe(fc.constantFrom(1, 2, null)),
      skip: maybe(fc.nat(1)),
      probability: maybe(fc.constantFrom(0.5, 1)),
      action: fc.record({ kind: fc.constant(kind), ...fieldsOf(actions, kind) }),
    })
    .map((fault) => JSON.parse(JSON.stringify(fault)))
}

const callbackOrder = fc
  .constantFrom(...keys(callbackActions))
  .chain((kind) =>
    fc.record({
      at: fc.constant('callback'),
      kind: maybe(fc.constantFrom('payin', 'payout')),
      times: maybe(fc.constantFrom(1, 2, null)),
      action: fc.record({ kind: fc.constant(kind), ...fieldsOf(callbackActions, kind) }),
    }),
  )
  .map((fault) => JSON.parse(JSON.stringify(fault)))

test('the kinds and fields of the tables are those that can be armed', () => {
  expect(keys(actions)).toEqual(keys(faultFields))
  for (const kind of keys(actions)) expect(Object.keys(actions[kind])).toEqual(Object.keys(faultFields[kind]))
  expect(keys(callbackActions)).toEqual(keys(callbackFaultFields))
})

test.each(keys(actions))('%s does the same whether the page or code has armed it', async (kind) => {
  await fc.assert(fc.asyncProperty(order(kind), sameByPageAndCode), { numRuns: 6 })
})

test('a fault of callbacks does the same whether the page or code has armed it', async () => {
  await fc.assert(fc.asyncProperty(callbackOrder, sameByPageAndCode), { numRuns: 12 })
})

test('null in a field and unknown fields, which code does by functions, can be asked for by name', async () => {
  await using page = await twin()
  const token = await masterToken(page.sandbox)
  const read = async () => {
    const response = await page.sandbox.fetch(`${ORIGIN}/merchant-info`, { headers: bearer(token) })
    return response.json()
  }
  const route = 'GET /merchant-info'
  const nullAt = {
    at: 'request',
    route,
    action: { kind: 'mutate', nullAt: 'channelInfo.name' },
  } satisfies FaultOrder
  expect((await page.ask('POST', 'faults', nullAt)).status).toBe(200)
  expect(await read()).toEqual({ channelInfo: { name: null } })
  const more = { at: 'request', route, action: { kind: 'mutate', extraFields: true } } satisfies FaultOrder
  expect((await page.ask('POST', 'faults', more)).status).toBe(200)
  expect(await read()).toMatchObject({ addedToo: null, channelInfo: { addedLater: { flag: true } } })
  expect(
    (await page.ask('POST', 'faults', { at: 'request', route, action: { kind: 'mutate' } })).status,
  ).toBe(400)
})

async function sameByPageAndCode(given: unknown): Promise<void> {
  await using byPage = await twin()
  await using byCode = await twin()
  // Before the faults, and remembered: no signature has to be waited for.
  const [one, other] = [await masterToken(byPage.sandbox), await masterToken(byCode.sandbox)]
  expect((await byPage.ask('POST', 'faults', given)).status).toBe(200)
  armByCode(byCode.sandbox, given)
  expect(await play(byPage.sandbox, one)).toEqual(await play(byCode.sandbox, other))
}

/** Sandboxes that are alike to the byte. */
function twin(): Promise<PageOf> {
  return pageOf({
    merchantCode: 'M-0001',
    privateKey: privatePem,
    clock: 'virtual',
    startAt: SIGNED_AT,
    seed: 7,
    settleAfterMs: 100,
    deliver: async () => ({ status: 204 }),
  })
}

function armByCode(sandbox: Sandbox, given: unknown): void {
  const { at, times, ...fault } = Object(given)
  const options = { ...fault, ...(times === undefined ? {} : { times: times ?? Number.POSITIVE_INFINITY }) }
  if (at === 'callback') sandbox.callbackFault(options)
  else sandbox.fault(options)
}

/** A fixed run over every endpoint that a fault can be at, and everything that can be seen of it. */
async function play(sandbox: Sandbox, token: string): Promise<unknown> {
  const calls: readonly [RouteName, string][] = [
    ['POST /payins/{idPayin}', '/payins/one'],
    ['POST /payins/{idPayin}', '/payins/one'],
    ['GET /payins/{idPayin}', '/payins/one'],
    ['GET /payins/{idPayin}/customer-account', '/payins/one/customer-account'],
    ['POST /payouts/{idPayout}', '/payouts/two'],
    ['GET /payouts/{idPayout}', '/payouts/two'],
    ['GET /merchant-info', '/merchant-info'],
  ]
  const seen: unknown[] = []
  for (const [route, path] of calls) {
    const abort = new AbortController()
    const [method = ''] = route.split(' ')
    const body = paymentBody({ callbackUrl: 'https://shop.example/callbacks' })
    const headers = { ...bearer(token), ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) }
    const init = { method, headers, signal: abort.signal, ...(method === 'POST' ? { body } : {}) }
    const answer = whatComes(sandbox.fetch(ORIGIN + path, init))
    await sandbox.clock.advance(20_000)
    await turns(5)
    abort.abort(new Error('no answer'))
    seen.push(await answer)
  }
  const { requests, callbacks } = sandbox
  return {
    seen,
    requests: JSON.parse(JSON.stringify(requests)),
    callbacks,
    payins: sandbox.payins.list().map((one) => one.history),
  }
}

async function whatComes(response: Promise<Response>): Promise<unknown> {
  try {
    const { status: code, headers, body } = await response
    let text = ''
    try {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    } catch (error) {
      return { code, text, error: String(error) }
    }
    return { code, text, headers: Object.fromEntries(headers) }
  } catch (error) {
    return String(error)
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
