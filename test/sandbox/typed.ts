import { expect } from 'vitest'
import { type PageOf, pageOf } from './control/page.js'
import { bearer, create, masterToken, paymentBody, privatePem, SIGNED_AT } from './support.js'

const HOUR = 3_600_000
const hook = 'http://shop.example/hook'

/** A command as the table of docs/testing.md has it, and what the sandbox shows when it has been typed. */
export interface Typed {
  readonly cell: string
  /** What follows it, with single spaces. */
  readonly args: string
  /** What has to be there first. */
  readonly before?: (page: PageWithPayment) => unknown
  readonly shows: (page: PageWithPayment, stdout: string) => unknown
}

interface PageWithPayment extends PageOf {
  /** Good for everything. */
  readonly token: string
}

/** A sandbox with the payin `order-1`, one request for it and a token, and the callback about it answered. */
export async function pageWithPayment(): Promise<PageWithPayment> {
  const page = await pageOf({
    merchantCode: 'M-0001',
    privateKey: privatePem,
    clock: 'virtual',
    startAt: SIGNED_AT,
    deliver: async () => ({ status: 204 }),
  })
  const { sandbox, url } = page
  const token = await masterToken(sandbox)
  await fetch(`${url}/payins/order-1`, create(token, paymentBody({ callbackUrl: hook })))
  await sandbox.clock.advance(0)
  return { ...page, token }
}

const stateOf = async ({ ask }: PageOf) => (await ask('GET', 'state')).json

/** A fault as the page shows it, the only one that is armed. */
function fault(cell: string, args: string, expected: object): Typed {
  return {
    cell,
    args,
    shows: async (page, stdout) => {
      expect(await stateOf(page)).toMatchObject({ faults: [{ times: 1, hits: 0, ...expected }] })
      expect(stdout).toMatch(/^(?:request|callback)-1 {2}\S+ at .*, hit 0 of /)
    },
  }
}

const parameters = (given: Readonly<Record<string, string>>) => ({ parameters: Object.entries(given) })

const faults: readonly Typed[] = [
  fault(
    'control fault',
    'drop-after --route createPayin --id order-1 --times all --skip 2 --probability 0.5',
    {
      kind: 'drop-after',
      place: 'POST /payins/{idPayin}',
      id: 'order-1',
      times: null,
      toSkip: 2,
      probability: 0.5,
    },
  ),
  fault('control fault drop-before', '', { kind: 'drop-before', place: '*' }),
  fault('control fault drop-after', '--route readPayout', {
    kind: 'drop-after',
    place: 'GET /payouts/{idPayout}',
  }),
  fault('control fault cut-body', '', { kind: 'cut-body' }),
  fault('control fault stall-body', '', { kind: 'stall-body' }),
  fault('control fault timeout', '--processed', { kind: 'timeout', ...parameters({ processed: 'true' }) }),
  fault('control fault delay', '--ms 3s --jitter-ms 500 --processed late', {
    kind: 'delay',
    ...parameters({ ms: '3000', jitterMs: '500', processed: 'late' }),
  }),
  fault('control fault status', '--status 500 --body {"code":"X"} --headers a:b --headers c:d --processed', {
    kind: 'status',
    ...parameters({ status: '500', body: '{"code":"X"}', headers: '{"a":"b","c":"d"}', processed: 'true' }),
  }),
  fault('control fault html', '--status 504 --processed', {
    kind: 'html',
    ...parameters({ status: '504', processed: 'true' }),
  }),
  fault('control fault mutate', '--change {"process":{"status":"HELD"}}', {
    kind: 'mutate',
    ...parameters({ change: '{"process":{"status":"HELD"}}' }),
  }),
  fault('control fault rate-limit', '--retry-after-secs 2 --as date', {
    kind: 'rate-limit',
    ...parameters({ retryAfterSecs: '2', as: 'date' }),
  }),
  fault('control fault hide', '--route readPayin --ms 5s', { kind: 'hide', ...parameters({ ms: '5000' }) }),
  fault('control fault overtaken', '--route createPayin', { kind: 'overtaken' }),
  fault('control fault callback-first', '--route createPayout', { kind: 'callback-first' }),
  fault('control fault revoke-token', '', { kind: 'revoke-token' }),
  fault('control fault skew-clock', '--ms -1h --for-ms 5min', {
    kind: 'skew-clock',
    ...parameters({ ms: '-3600000', forMs: '300000' }),
  }),
  fault('control callback-fault', 'missing --kind payout --id refund-1 --times 3', {
    kind: 'missing',
    place: 'payout',
    id: 'refund-1',
    times: 3,
  }),
  fault('control callback-fault missing', '', { kind: 'missing', at: 'callback', place: '*' }),
  fault('control callback-fault twice', '', { kind: 'twice' }),
  fault('control callback-fault late', '--ms 1min', { kind: 'late', ...parameters({ ms: '60000' }) }),
  fault('control callback-fault swapped', '', { kind: 'swapped' }),
  fault('control rare answer-lost', '--route createPayin', { kind: 'drop-after' }),
  fault('control rare body-stalled', '--route createPayin', { kind: 'stall-body' }),
  fault('control rare callback-before-answer', '--route createPayin', { kind: 'callback-first' }),
  fault('control rare callback-twice', '', { kind: 'twice' }),
  fault('control rare callback-late', '--by 2min', { kind: 'late', ...parameters({ ms: '120000' }) }),
  fault('control rare callbacks-out-of-order', '', { kind: 'swapped' }),
  fault('control rare callback-missing', '', { kind: 'missing' }),
  fault('control rare found-later', '--route readPayin --after-ms 3s', {
    kind: 'hide',
    times: null,
    ...parameters({ ms: '3000' }),
  }),
  fault('control rare unknown-status', '--route readPayin --status ODD', {
    kind: 'mutate',
    ...parameters({ change: 'the status ODD' }),
  }),
  fault('control rare null-for-string', '--route readPayin --field process.status', {
    kind: 'mutate',
    ...parameters({ change: 'null at process.status' }),
  }),
  fault('control rare extra-fields', '--route readPayin', {
    kind: 'mutate',
    ...parameters({ change: 'withExtraFields' }),
  }),
  fault('control rare creates-race', '--route createPayin', { kind: 'overtaken' }),
  fault('control rare too-many-requests', '--route any --retry-after-secs 1', {
    kind: 'rate-limit',
    place: '*',
    ...parameters({ retryAfterSecs: '1' }),
  }),
]

const skewed: Typed['shows'] = async (page) =>
  expect(await stateOf(page)).toMatchObject({ clock: { skewMs: -HOUR } })

const tokenGets = async ({ url, token }: PageWithPayment, status: number) =>
  expect((await fetch(`${url}/balances`, { headers: bearer(token) })).status).toBe(status)

const others: readonly Typed[] = [
  { cell: 'control rare clock-skewed', args: '--by -1h', shows: skewed },
  { cell: 'control clock --wrong', args: '-1h --for 5min', shows: skewed },
  ...['control rare tokens-revoked', 'control revoke-tokens'].map((cell): Typed => {
    return { cell, args: '', before: (at) => tokenGets(at, 200), shows: (at) => tokenGets(at, 401) }
  }),
  {
    cell: 'control disarm',
    args: 'request-1',
    before: ({ sandbox }) => {
      for (const kind of ['timeout', 'drop-after'] as const) sandbox.fault({ route: '*', action: { kind } })
    },
    shows: (_page, stdout) => expect(stdout).toBe('request-2  drop-after at any request, hit 0 of 1\n'),
  },
  {
    cell: 'control clock',
    args: '+1h',
    shows: ({ sandbox }, stdout) => {
      expect(sandbox.clock.now()).toBe(SIGNED_AT + HOUR)
      expect(stdout).toBe(`virtual, ${new Date(SIGNED_AT + HOUR).toISOString()}, right\n`)
    },
  },
  {
    cell: 'control limiter',
    args: 'evenly-spaced --rate-limit 2',
    shows: async (page, stdout) => {
      expect(await stateOf(page)).toMatchObject({ limiter: { kind: 'evenly-spaced', limit: 2 } })
      expect(stdout).toBe('evenly-spaced, 2 requests a second, 1 free now\n')
    },
  },
  {
    cell: 'control balance',
    args: '12.50 eur',
    shows: async (page) => {
      const balances = expect.arrayContaining([{ amount: 12.5, currencyCode: 'EUR' }])
      expect(await stateOf(page)).toMatchObject({ balances })
    },
  },
  {
    cell: 'control reset',
    args: '',
    shows: ({ sandbox }) => expect([sandbox.payins.size, sandbox.requests.length]).toEqual([0, 0]),
  },
  {
    cell: 'control reset logs',
    args: '',
    shows: ({ sandbox }) => {
      expect([sandbox.requests.length, sandbox.callbacks.length, sandbox.payins.size]).toEqual([0, 0, 1])
    },
  },
  {
    cell: 'control settle',
    args: 'order-1 UNDER_REVIEW --processed yes',
    shows: ({ sandbox }, stdout) => {
      const { status, processedAt } = sandbox.payins.get('order-1')
      expect([status, processedAt]).toEqual(['UNDER_REVIEW', new Date(SIGNED_AT).toISOString()])
      expect(stdout).toBe('order-1 is UNDER_REVIEW\n')
    },
  },
  {
    cell: 'control callback',
    args: 'order-1 --method PUT --body a --content-type text/plain --chunks 1 --chunk-gap-ms 0 --times 2 --after-ms 1s',
    shows: async ({ sandbox }) => {
      expect(sandbox.callbacks).toHaveLength(1)
      await sandbox.clock.advance(1000)
      expect(sandbox.callbacks).toHaveLength(3)
    },
  },
  {
    cell: 'control payments',
    args: '',
    shows: (_page, stdout) => {
      const at = new Date(SIGNED_AT).toISOString()
      expect(stdout).toBe(`payin order-1, PENDING, 100 EUR, created ${at}, callbacks delivered\n`)
    },
  },
  {
    cell: 'control requests',
    args: '--kind payins --result ok --payin order-1',
    shows: (_page, stdout) =>
      expect(stdout).toMatch(
        /^ {3}2 22:13:20\.000 POST \/payins\/order-1 200 The payin was accepted\. \(\d+ ms\)\n$/,
      ),
  },
  {
    cell: 'control callbacks',
    args: '',
    shows: (_page, stdout) => expect(stdout).toMatch(/Z payin order-1 for PENDING, try 1, 204\n$/),
  },
  {
    cell: 'control create',
    args: '10.50 EUR --payout --id refund-1 --callback-url http://shop.example/hook',
    shows: ({ sandbox }, stdout) => {
      const { money, callbackUrl } = sandbox.payouts.get('refund-1')
      expect([money, callbackUrl]).toEqual([{ amount: 10.5, currencyCode: 'EUR' }, hook])
      expect(stdout).toBe('payout refund-1: Answered 200.\n')
    },
  },
  {
    cell: 'control shop',
    args: '',
    shows: async ({ ask }, stdout) => {
      expect(stdout).toMatch(/^0 of 20: /)
      expect((await ask('DELETE', 'shop')).json).toMatchObject({ shop: null })
    },
  },
  {
    cell: 'control resend',
    args: '2',
    shows: ({ sandbox }, stdout) => {
      expect(sandbox.payins.size).toBe(1)
      expect(stdout).toMatch(/^request \d+: Answered 409: this id was accepted before/)
    },
  },
  {
    cell: 'control idle',
    args: '',
    shows: (_page, stdout) => expect(stdout).toBe('no callback is under way\n'),
  },
]

export const typed: readonly Typed[] = [...faults, ...others]
