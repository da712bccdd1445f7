import { expect } from 'vitest'
import type { FaultAction } from '../../packages/sandbox/src/index.js'
import type { SomeOptions } from '../support/client-options.js'
import { privatePem } from '../support/vectors.js'
import { listeningSandbox } from './sandbox.js'
import {
  clientOf,
  create,
  createRoute,
  failure,
  idField,
  type Kind,
  lookUpRoute,
  type TransportName,
} from './support.js'

export interface Setup {
  readonly kind: Kind
  readonly transport: TransportName
}

const answered = { kind: 'status', processed: true } as const
const changed = (change: (json: unknown) => unknown) => ({ kind: 'mutate', change }) as const
const having = (more: object) => changed((json) => ({ ...Object(json), ...more }))
const shows = (paymentMethodResponse: object) => having({ paymentMethodResponse })

/** Faults by name. With a plus, the request is processed. A number is a status, with a slash and what Retry-After says. */
const faults: Readonly<Record<string, FaultAction>> = {
  fine: { kind: 'delay', ms: 0 },
  reset: { kind: 'drop-before' },
  'reset+': { kind: 'drop-after' },
  'cut+': { kind: 'cut-body' },
  'stall+': { kind: 'stall-body' },
  silence: { kind: 'timeout' },
  'silence+': { kind: 'timeout', processed: true },
  page: { kind: 'html' },
  'page-200': { kind: 'html', status: 200 },
  'page-200+': { kind: 'html', status: 200, processed: true },
  redirect: { kind: 'status', status: 303, headers: { location: '/payins/order-1' } },
  'nothing+': { ...answered, status: 200, body: '' },
  'half+': { ...answered, status: 201, body: '{"paymentRequested":{"mon' },
  'null+': { ...answered, status: 200, body: 'null' },
  '{}+': { ...answered, status: 202, body: {} },
  '[]+': changed(() => []),
  '7+': changed(() => 7),
  'no-token': changed(() => ({ other: 1 })),
  'no-money+': having({ paymentRequested: {} }),
  'no-id+': shows({ paymentMethodCode: 'X' }),
  'another-id+': shows({ idPayin: 'order-2', idPayout: 'order-2' }),
}

/** A word of a row: a fault, with an asterisk for all requests and `x2` for two of them. */
function hitOf(word: string): { action: FaultAction; times: number } {
  const [, name = '', often] = /^(.*?)(\*|x\d)?$/.exec(word) ?? []
  const times = often === undefined ? 1 : often === '*' ? Number.POSITIVE_INFINITY : Number(often.slice(1))
  const [, status, plus, secs] = /^(\d{3})(\+?)(?:\/(.+))?$/.exec(name) ?? []
  if (status === undefined) return { action: faults[name] ?? expect.fail(`no fault ${name}`), times }
  const headers = secs === undefined ? {} : { 'retry-after': secs }
  return { action: { kind: 'status', status: Number(status), processed: plus === '+', headers }, times }
}

const options: Readonly<Record<string, SomeOptions>> = {
  '': {},
  'retries: 0': { retries: 0 },
  'a signer that fails': {
    privateKey: undefined,
    signer: { sign: () => Promise.reject(new Error('the HSM is locked')) },
  },
}

/** On a machine that was too slow for its limits, again with longer ones. */
export async function playRow(setup: Setup, row: readonly string[]): Promise<void> {
  for (let times = 1; await wasTooSlow(setup, row, times); times *= 2);
}

/** @returns whether an attempt may have timed out that was answered, so that nothing follows from what came of it. */
async function wasTooSlow(
  { kind, transport }: Setup,
  row: readonly string[],
  times: number,
): Promise<boolean> {
  const [, creates = '', lookups = '', tokens = '', before = '', expected = '', option = ''] = row
  const isSilent = /silence|stall/.test(creates + tokens)
  // Only what is silent takes so long; a response that a busy machine brings late must still come within it.
  const limits = { timeoutMs: (isSilent ? 1200 : 2000) * times, deadlineMs: 10_000 * times }
  await using sandbox = await listeningSandbox({ retryAfter: 'seconds' })
  await using client = clientOf(sandbox.url, transport, {
    privateKey: privatePem,
    ...options[option],
    ...limits,
  })
  if (before !== '') {
    const unhurried = { timeoutMs: 60_000, deadlineMs: 60_000 }
    await create(client, kind, { amount: before === 'same' ? '10.50' : 99 }, unhurried)
    sandbox.clearLogs()
  }
  const arm = (route: Parameters<typeof sandbox.fault>[0]['route'], words: string) => {
    for (const word of words.split(' ').filter((one) => one !== '')) sandbox.fault({ route, ...hitOf(word) })
  }
  arm(createRoute(kind), creates)
  arm(lookUpRoute(kind), lookups)
  arm('POST /auth-tokens', tokens)
  const startedAt = performance.now()
  const result = await create(client, kind, {}, limits).catch((error: unknown) => error)
  const tookMs = performance.now() - startedAt
  const silent = sandbox.requests.filter(({ fault }) => fault === 'timeout' || fault === 'stall-body').length
  // Each attempt that timed out took its whole time.
  if (tookMs >= Math.min(limits.deadlineMs, (silent + 1) * limits.timeoutMs)) return true
  const id = { [idField(kind)]: 'order-1' }
  const [first = '', second, ...more] = expected.split(' ')
  if (first === 'created' || first === 'replayed') {
    const paymentRequested = { money: { amount: 10.5, currencyCode: 'EUR' } }
    expect(result).toMatchObject({
      ...id,
      replayed: first === 'replayed',
      paymentRequested,
      paymentMethodResponse: id,
    })
    const seen = sandbox.requests.filter((request) => request.route === createRoute(kind))
    expect(seen.map(({ idPayin, idPayout }) => idPayin ?? idPayout)).toEqual(
      Array(Number(second)).fill('order-1'),
    )
    expect(new Set(seen.map(({ bodyText }) => bodyText)).size).toBe(1)
  } else {
    const [status, attempts, payments] = more.map((one) => (one === '-' ? undefined : Number(one)))
    const error = await failure(Promise.reject(result))
    expect(error).toMatchObject({ ...id, name: first, outcome: second })
    if (status !== undefined) expect(error.status).toBe(status)
    if (attempts !== undefined) expect(error.attempts).toBe(attempts)
    expect(error.message).toMatch(/same id|under this id|new id only if/)
    if (first === 'RateLimitError' && second === 'not-accepted') expect(error.retryAfterMs).toBe(61_000)
    if (first === 'IdempotencyConflictError')
      expect(error.differences).toEqual(['paymentRequested.money.amount'])
    expect((kind === 'payin' ? sandbox.payins : sandbox.payouts).size).toBe(payments)
    return false
  }
  expect((kind === 'payin' ? sandbox.payins : sandbox.payouts).size).toBe(1)
  return false
}
