import { expect } from 'vitest'
import { type PageOf, pageOf } from './control/page.js'
import { bearer, create, masterToken, paymentBody, privatePem, SIGNED_AT } from './support.js'

const HOUR = 3_600_000
const hook = 'http://shop.example/hook'

/** A command as the table of docs/sandbox.md has it, and what the sandbox shows when it has been typed. */
export interface Typed {
  readonly cell: string
  /** What is sent with it. */
  readonly body?: unknown
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

export const typed: readonly Typed[] = [
  {
    cell: 'control POST /faults',
    body: {
      at: 'request',
      route: 'POST /payins/{idPayin}',
      id: 'order-1',
      times: null,
      skip: 2,
      probability: 0.5,
      action: { kind: 'delay', ms: 3000 },
    },
    shows: async (page) => {
      expect(await stateOf(page)).toMatchObject({
        faults: [
          {
            kind: 'delay',
            place: 'POST /payins/{idPayin}',
            id: 'order-1',
            times: null,
            toSkip: 2,
            probability: 0.5,
            parameters: [['ms', '3000']],
          },
        ],
      })
    },
  },
  {
    cell: 'control DELETE /faults',
    before: ({ sandbox }) => sandbox.fault({ route: '*', action: { kind: 'timeout' } }),
    shows: async (page) => expect(await stateOf(page)).toMatchObject({ faults: [] }),
  },
  {
    cell: 'control DELETE /faults/request-1',
    before: ({ sandbox }) => {
      for (const kind of ['timeout', 'drop-after'] as const) sandbox.fault({ route: '*', action: { kind } })
    },
    shows: async (page) => expect(await stateOf(page)).toMatchObject({ faults: [{ key: 'request-2' }] }),
  },
  {
    cell: 'control POST /clock',
    body: { advanceMs: HOUR },
    shows: ({ sandbox }) => expect(sandbox.clock.now()).toBe(SIGNED_AT + HOUR),
  },
  {
    cell: 'control POST /limiter',
    body: { kind: 'evenly-spaced', limit: 2 },
    shows: async (page) =>
      expect(await stateOf(page)).toMatchObject({ limiter: { kind: 'evenly-spaced', limit: 2 } }),
  },
  {
    cell: 'control POST /balances',
    body: { amount: 12.5, currencyCode: 'EUR' },
    shows: async (page) => {
      const balances = expect.arrayContaining([{ amount: 12.5, currencyCode: 'EUR' }])
      expect(await stateOf(page)).toMatchObject({ balances })
    },
  },
  {
    cell: 'control DELETE /tokens',
    before: (page) => balancesAnswer(page, 200),
    shows: (page) => balancesAnswer(page, 401),
  },
  {
    cell: 'control POST /reset',
    shows: ({ sandbox }) => expect([sandbox.payins.size, sandbox.requests.length]).toEqual([0, 0]),
  },
  {
    cell: 'control DELETE /requests',
    shows: ({ sandbox }) => {
      expect([sandbox.requests.length, sandbox.callbacks.length, sandbox.payins.size]).toEqual([0, 0, 1])
    },
  },
  {
    cell: 'control POST /payments/payin/order-1/settle',
    body: { status: 'UNDER_REVIEW', processed: true },
    shows: ({ sandbox }) => {
      const { status, processedAt } = sandbox.payins.get('order-1')
      expect([status, processedAt]).toEqual(['UNDER_REVIEW', new Date(SIGNED_AT).toISOString()])
    },
  },
  {
    cell: 'control POST /payments/payin/order-1/callback',
    body: {
      method: 'PUT',
      body: 'a',
      contentType: 'text/plain',
      chunks: 1,
      chunkGapMs: 0,
      times: 2,
      afterMs: 1000,
    },
    shows: async ({ sandbox }) => {
      expect(sandbox.callbacks).toHaveLength(1)
      await sandbox.clock.advance(1000)
      expect(sandbox.callbacks).toHaveLength(3)
    },
  },
  {
    cell: 'control GET /payments',
    shows: (_page, stdout) =>
      expect(JSON.parse(stdout)).toMatchObject({
        rows: [{ kind: 'payin', id: 'order-1', status: 'PENDING', createdAt: SIGNED_AT }],
      }),
  },
  {
    cell: 'control GET /payments/payin/order-1',
    shows: (_page, stdout) => expect(JSON.parse(stdout)).toMatchObject({ payment: { id: 'order-1' } }),
  },
  {
    cell: 'control GET /requests',
    shows: (_page, stdout) =>
      expect(JSON.parse(stdout)).toMatchObject({ rows: [{ number: 2 }, { number: 1 }] }),
  },
  {
    cell: 'control GET /deliveries',
    shows: (_page, stdout) =>
      expect(JSON.parse(stdout)).toMatchObject({ rows: [{ kind: 'payin', id: 'order-1', answer: 204 }] }),
  },
  {
    cell: 'control POST /create',
    body: { kind: 'payout', id: 'refund-1', amount: 10.5, currencyCode: 'EUR', callbackUrl: hook },
    shows: ({ sandbox }, stdout) => {
      const { money, callbackUrl } = sandbox.payouts.get('refund-1')
      expect([money, callbackUrl]).toEqual([{ amount: 10.5, currencyCode: 'EUR' }, hook])
      expect(JSON.parse(stdout)).toMatchObject({ status: 200, arrived: true })
    },
  },
  {
    cell: 'control POST /requests/2/resend',
    shows: ({ sandbox }, stdout) => {
      expect(sandbox.payins.size).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({ status: 409 })
    },
  },
  { cell: 'control GET /idle', shows: ({ sandbox }) => expect(sandbox.callbacks).toHaveLength(1) },
]

async function balancesAnswer({ url, token }: PageWithPayment, status: number): Promise<void> {
  expect((await fetch(`${url}/balances`, { headers: bearer(token) })).status).toBe(status)
}
