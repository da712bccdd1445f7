import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FaultForm } from '../../sandbox/src/desk/control/controls/page-faults.js'
import { faultForms } from '../../sandbox/src/desk/control/controls/page-faults.js'
import type { RouteName, Sandbox } from '../../sandbox/src/index.js'
import { type PageOf, pageOf } from '../sandbox/control/page.js'
import { bearer, masterToken, ORIGIN, paymentBody, privatePem, SIGNED_AT } from '../sandbox/support.js'
import { turns } from '../support/turns.js'

type FormField = FaultForm['fields'][number]

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const json = fc.dictionary(
  fc.constantFrom('a', 'b', 'process'),
  fc.constantFrom(null, 1, 'x', { c: null, d: 2 }),
)

/** What JSON a field takes that a form asks for as JSON. */
const jsonFields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  body: fc.oneof(fc.constantFrom('text', ''), json),
  headers: fc.constant({ 'x-fault': 'yes' }),
  change: json,
}

/** Anything that a field of the form takes; nothing at times where it is optional. */
function parameterOf({ name, input, min = -5000, max = 5000, choices, isOptional, value }: FormField) {
  const arbitrary = {
    number: () => fc.integer({ min, max }),
    flag: () => fc.boolean(),
    choice: () => fc.constantFrom(...(choices ?? []).map(([one]) => one)),
    text: () => fc.constantFrom(String(value), 'process.createdAt'),
    json: () => jsonFields[name] ?? fc.constant(null),
  }[input]()
  return isOptional ? fc.option<unknown, undefined>(arbitrary, { nil: undefined }) : arbitrary
}

function actionOf({ kind, fields }: FaultForm): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(fields.map((field) => [field.name, parameterOf(field)]))
  return fc.record({ ...values, kind: fc.constant(kind) })
}

/** A fault as the page sends it: JSON, so what is undefined is not there. */
function order(form: FaultForm): fc.Arbitrary<unknown> {
  return fc
    .record({
      at: fc.constant('request'),
      route: fc.constantFrom(...form.places.filter((place) => !place.includes('auth-tokens'))),
      times: maybe(fc.constantFrom(1, 2, null)),
      skip: maybe(fc.nat(1)),
      probability: maybe(fc.constantFrom(0.5, 1)),
      action: actionOf(form),
    })
    .map((fault) => JSON.parse(JSON.stringify(fault)))
}

function callbackOrder(form: FaultForm): fc.Arbitrary<unknown> {
  return fc
    .record({
      at: fc.constant('callback'),
      kind: maybe(fc.constantFrom('payin', 'payout')),
      times: maybe(fc.constantFrom(1, 2, null)),
      action: actionOf(form),
    })
    .map((fault) => JSON.parse(JSON.stringify(fault)))
}

test.each(faultForms)('$kind does the same whether the page or code has armed it', async (form) => {
  const orders = form.at === 'request' ? order(form) : callbackOrder(form)
  await fc.assert(fc.asyncProperty(orders, sameByPageAndCode), { numRuns: 5 })
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
