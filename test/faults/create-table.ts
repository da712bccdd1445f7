import { expect, test } from 'vitest'
import type { FaultAction } from '../../packages/sandbox/src/index.js'
import type { CallOptions } from '../../src/index.js'
import type { AnyFields } from '../support/caught.js'
import type { SomeOptions } from '../support/client-options.js'
import { privatePem } from '../support/vectors.js'
import { listeningSandbox } from './sandbox.js'
import { handMadeGateway, type Script } from './servers.js'
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

export const always = Number.POSITIVE_INFINITY

/** A fault and how many requests it hits. */
export type Hit = FaultAction | readonly [action: FaultAction, times: number]

/** One row of the decision table, and what a caller must get. */
export interface Row {
  readonly name: string
  /** What happens to the create requests, one after another. */
  readonly creates?: readonly Hit[]
  /** What happens to the lookups after a 409. */
  readonly lookups?: readonly Hit[]
  /** What happens to token requests. */
  readonly tokens?: readonly Hit[]
  /** A payment that is there before. */
  readonly before?: 'the same' | 'another amount'
  readonly options?: SomeOptions | undefined
  readonly call?: CallOptions | undefined
  readonly expected: Result | Failure
  /** How many payments the gateway holds at the end. */
  readonly payments: number
}

export interface Result {
  readonly replayed: boolean
  /** How many create requests the gateway saw. */
  readonly creates: number
}

export interface Failure extends Pick<AnyFields, 'status' | 'attempts' | 'outcome' | 'retryAfterMs'> {
  readonly name: string
  readonly code: string
  readonly more?: object | undefined
}

export interface Setup {
  readonly kind: Kind
  readonly transport: TransportName
}

/** What a create over a gateway made by hand comes to: the payment, or its error. */
export async function createOver(
  { kind, transport }: Setup,
  script: Script,
  options: SomeOptions = {},
  call: CallOptions = {},
): Promise<unknown> {
  await using gateway = await handMadeGateway(script)
  await using client = clientOf(gateway.url, transport, options)
  return await create(client, kind, {}, call).catch((error: unknown) => error)
}

/** Limits of a row that sets none. */
const patient = { timeoutMs: 2000, deadlineMs: 10_000 }

/** Runs a row for one kind of payment over one transport; on a machine that was too slow for its limits, again with longer ones. */
export function rowTest(setup: Setup, row: Row): void {
  test.concurrent(row.name, async () => {
    for (let times = 1; await wasTooSlow(setup, row, times); times *= 2);
  })
}

/** @returns whether an attempt may have timed out that was answered, so that nothing follows from what came of it. */
async function wasTooSlow({ kind, transport }: Setup, row: Row, times: number): Promise<boolean> {
  const { timeoutMs, deadlineMs } = { ...patient, ...row.options, ...row.call }
  const limits = {
    timeoutMs: (timeoutMs ?? patient.timeoutMs) * times,
    deadlineMs: (deadlineMs ?? patient.deadlineMs) * times,
  }
  await using sandbox = await listeningSandbox({ retryAfter: 'seconds' })
  await using client = clientOf(sandbox.url, transport, { privateKey: privatePem, ...row.options, ...limits })
  if (row.before !== undefined) {
    const unhurried = { timeoutMs: 60_000, deadlineMs: 60_000 }
    await create(client, kind, { amount: row.before === 'the same' ? '10.50' : 99 }, unhurried)
    sandbox.clearLogs()
  }
  const arm = (route: Parameters<typeof sandbox.fault>[0]['route'], hits: readonly Hit[] = []) => {
    for (const hit of hits) {
      const [action, times] = 'kind' in hit ? [hit, 1] : hit
      sandbox.fault({ route, action, times })
    }
  }
  arm(createRoute(kind), row.creates)
  arm(lookUpRoute(kind), row.lookups)
  arm('POST /auth-tokens', row.tokens)
  const store = kind === 'payin' ? sandbox.payins : sandbox.payouts
  const id = { [idField(kind)]: 'order-1' }
  const startedAt = performance.now()
  const result = await create(client, kind, {}, { ...row.call, ...limits }).catch((error: unknown) => error)
  const tookMs = performance.now() - startedAt
  const silent = sandbox.requests.filter(({ fault }) => fault === 'timeout' || fault === 'stall-body').length
  // Each attempt that timed out took its whole time.
  if (tookMs >= Math.min(limits.deadlineMs, (silent + 1) * limits.timeoutMs)) return true
  if ('replayed' in row.expected) {
    const { replayed, creates } = row.expected
    expect(result).toMatchObject({
      ...id,
      replayed,
      paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
      paymentMethodResponse: id,
    })
    const seen = sandbox.requests.filter((request) => request.route === createRoute(kind))
    expect(seen.map(({ idPayin, idPayout }) => idPayin ?? idPayout)).toEqual(Array(creates).fill('order-1'))
    expect(new Set(seen.map(({ bodyText }) => bodyText)).size).toBe(1)
  } else {
    const { more = {}, ...expected } = row.expected
    const error = await failure(Promise.reject(result))
    expect(error).toMatchObject({ ...id, ...expected, ...more })
    expect(error.message).toMatch(/same id|under this id|new id only if/)
  }
  expect(store.size).toBe(row.payments)
  return false
}
