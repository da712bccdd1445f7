import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSandbox, type FaultAction, type Sandbox } from '../../packages/sandbox/src/index.js'
import { type GatewayClient, isGatewayError } from '../../src/index.js'
import {
  clientOf,
  create,
  createRoute,
  type Kind,
  lookUpRoute,
  type TransportName,
} from '../faults/support.js'
import { turns } from '../support/turns.js'
import { privatePem } from '../support/vectors.js'

/** Timers run this many times too fast, so that a thousand time-outs fit into a test. */
const haste = 40
const realSetTimeout = globalThis.setTimeout

beforeEach(() => {
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => realSetTimeout(run, ms / haste, ...args)) as typeof setTimeout)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** What a merchant does in a bad hour: the same few orders, again and again, with whatever amount is at hand. */
interface Step {
  readonly kind: Kind
  readonly id: string
  readonly amount: number
  readonly retries: number
  readonly creates: readonly FaultAction[]
  readonly lookUps: readonly FaultAction[]
  /** After how many turns of the event loop the merchant gives up; never, when absent. */
  readonly patience: number | undefined
  readonly revoke: boolean
  readonly advance: boolean
}

/** No fault claims what is not so: a 2xx and a 409 come from the gateway itself. */
const createFault: fc.Arbitrary<FaultAction> = fc.oneof(
  fc.constantFrom<FaultAction>(
    { kind: 'drop-before' },
    { kind: 'drop-after' },
    { kind: 'cut-body' },
    { kind: 'stall-body' },
    { kind: 'timeout' },
    { kind: 'timeout', processed: true },
    { kind: 'delay', ms: 1000, processed: 'late' },
    { kind: 'delay', ms: 1000, processed: 'on-arrival' },
    { kind: 'html' },
    { kind: 'html', processed: true },
    { kind: 'mutate', change: () => null },
  ),
  fc
    .constantFrom(400, 401, 403, 404, 408, 422, 425, 429, 500, 502, 503)
    .map((status): FaultAction => ({ kind: 'status', status, headers: { 'retry-after': '0' } })),
  // Only these may follow processing: what is refused was not processed.
  fc
    .constantFrom(408, 499, 500, 502, 504)
    .map((status): FaultAction => ({ kind: 'status', status, processed: true })),
)

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind>('payin', 'payout'),
  id: fc.constantFrom('a', 'b'),
  amount: fc.oneof({ weight: 4, arbitrary: fc.constant(10.5) }, { weight: 1, arbitrary: fc.constant(99) }),
  retries: fc.nat(2),
  creates: fc.array(createFault, { maxLength: 3 }),
  lookUps: fc.array(
    fc.constantFrom<FaultAction>(
      { kind: 'drop-before' },
      { kind: 'status', status: 404 },
      { kind: 'status', status: 500 },
    ),
    { maxLength: 2 },
  ),
  patience: fc.option(fc.nat(60), { nil: undefined, freq: 3 }),
  revoke: fc.boolean(),
  advance: fc.boolean(),
})

/** Batches one after another; the steps of a batch at once. */
const scripts = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 })

interface Ended {
  readonly step: Step
  readonly replayed?: boolean
  readonly error?: unknown
}

async function run(sandbox: Sandbox, client: GatewayClient, one: Step): Promise<Ended> {
  const { kind, id, amount, retries } = one
  for (const action of one.creates) sandbox.fault({ route: createRoute(kind), id, action })
  for (const action of one.lookUps) sandbox.fault({ route: lookUpRoute(kind), id, action })
  if (one.revoke) await sandbox.revokeTokens()
  const controller = new AbortController()
  const call = create(client, kind, { id, amount }, { signal: controller.signal, retries })
  if (one.patience !== undefined) void turns(one.patience).then(() => controller.abort())
  return call.then(
    ({ replayed }) => ({ step: one, replayed }),
    (error: unknown) => ({ step: one, error }),
  )
}

function storeOf(sandbox: Sandbox, kind: Kind) {
  return kind === 'payin' ? sandbox.payins : sandbox.payouts
}

/** What the gateway says at the end must be what the client said on the way. */
function judge(sandbox: Sandbox, ended: readonly Ended[]): void {
  for (const { step: one, replayed, error } of ended) {
    const payment = storeOf(sandbox, one.kind).find(one.id)
    const others = ended.filter(({ step: other }) => other.kind === one.kind && other.id === one.id)
    if (replayed !== undefined) {
      expect(payment?.money).toEqual({ amount: one.amount, currencyCode: 'EUR' })
      continue
    }
    if (!isGatewayError(error)) throw error
    expect(error.outcome).toBeDefined()
    if (error.outcome === 'not-accepted' && others.length === 1) expect(payment).toBeUndefined()
    if (error.outcome === 'accepted') expect(payment).toBeDefined()
    if (error.code === 'idempotency_conflict') {
      expect(error.outcome).toBe('accepted')
      expect(payment?.money.amount).not.toBe(one.amount)
    }
  }
  for (const kind of ['payin', 'payout'] as const) {
    for (const id of ['a', 'b']) {
      const accepted = sandbox.requests.filter(
        (request) =>
          request.route === createRoute(kind) &&
          (request.idPayin ?? request.idPayout) === id &&
          request.verdict === 'OK',
      )
      expect(accepted.length).toBeLessThanOrEqual(1)
      expect(storeOf(sandbox, kind).find(id) === undefined ? 0 : 1).toBe(accepted.length)
      const first = ended.filter(
        ({ step: one, replayed }) => one.kind === kind && one.id === id && replayed === false,
      )
      expect(first.length).toBeLessThanOrEqual(1)
    }
  }
}

async function play(script: Step[][], transport: TransportName | 'in process'): Promise<void> {
  const sandbox = createSandbox({
    merchantCode: 'M-0001',
    privateKey: privatePem,
    // One request for both kinds of payment.
    payinMethods: ['BANK_TRANSFER'],
    rateLimit: false,
    clock: 'virtual',
  })
  const url = transport === 'in process' ? 'https://gateway.example' : (await sandbox.listen()).url
  const clientWithin = (timeoutMs: number) =>
    clientOf(url, transport === 'fetch' ? 'fetch' : 'undici', {
      privateKey: privatePem,
      timeoutMs: timeoutMs * haste,
      deadlineMs: 5000 * haste,
      rateLimit: false,
      ...(transport === 'in process' ? { fetch: sandbox.fetch } : {}),
    })
  const client = clientWithin(25)
  const ended: Ended[] = []
  for (const batch of script) {
    ended.push(...(await Promise.all(batch.map((one) => run(sandbox, client, one)))))
    sandbox.clearFaults()
    if (batch.some(({ advance }) => advance)) await sandbox.clock.advance(1000)
  }
  // What is late arrives at last; and then the merchant asks once more about every order, by the same id.
  await sandbox.clock.advance(5000)
  await turns(5)
  judge(sandbox, ended)
  await client.close()
  const patient = clientWithin(3000)
  for (const { step: one } of ended) {
    const held = storeOf(sandbox, one.kind).find(one.id)
    const amount = held?.money.amount ?? one.amount
    expect(await create(patient, one.kind, { id: one.id, amount })).toMatchObject({
      replayed: held !== undefined,
    })
  }
  await patient.close()
  await sandbox.close()
}

describe('whatever goes wrong, and however often the merchant asks again by the same id, money moves once', () => {
  test.each([
    ['in process', 80],
    ['undici', 25],
    ['fetch', 25],
  ] as const)(
    'over %s',
    async (transport, numRuns) => {
      await fc.assert(
        fc.asyncProperty(scripts, (script) => play(script, transport)),
        { numRuns, endOnFailure: true },
      )
    },
    120_000,
  )
})
