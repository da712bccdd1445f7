import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { CountedRate, Money, PaymentKind, StatusRules } from 'merchant-gateway'
import { isObject } from '../input/values.js'
import { type Finding, fail, ok, warn } from './finding.js'
import { type CheckResult, type GatewayChecks, resultOf, type TimestampUnit } from './gateway-checks.js'
import { type ShownStatuses, statusesOf } from './places.js'

/** What `doctor --pay` is told. */
export interface PayCheck {
  readonly money: Money
  /** How long payments are followed that have not ended. */
  readonly waitMs: number
}

/** Options that this gateway needs, by their names. */
export interface NeededOptions {
  timestampUnit?: TimestampUnit
  tokenField?: string
  tokenValiditySecs?: number
  rateLimit?: CountedRate
  statuses?: StatusRules
}

const noOption = 'No option of the client mends this: ask the platform.'
const pollMs = 1000

/**
 * Makes one payin and one payout, follows them, and writes down which options their statuses need. The client has
 * `live: false`, so that it makes no payout where the payin shows that its money is real.
 */
export async function* examinePayments(
  checks: Pick<GatewayChecks, 'client' | 'last'>,
  { money, waitMs }: PayCheck,
  needed: NeededOptions,
): AsyncGenerator<Finding> {
  const { client } = checks
  const options = await resultOf(client.payins.paymentOptions(money))
  const paymentRequested = { money }
  const request = {
    idPayin: newId(),
    paymentRequested,
    paymentMethod: { ...firstOption(options.value), account },
  }
  const payin = await resultOf(client.payins.create(request))
  const payments: Followed[] = []
  if (payin.value === undefined) yield notMade('payin', payin)
  else {
    payments.push({ kind: 'payin', id: request.idPayin, found: [] })
    yield judgeRepeated(await resultOf(client.payins.create(request)))
  }
  const idPayout = newId()
  const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
  const payout = await resultOf(client.payouts.create({ idPayout, paymentRequested, paymentMethod }))
  if (payout.value === undefined) yield notMade('payout', payout)
  else payments.push({ kind: 'payout', id: idPayout, found: [] })
  const waited = await follow(checks, payments, waitMs)
  for (const payment of payments) yield judgeFollowed(payment, waited)
  yield* judgeStatuses(payments, needed)
}

/** A made-up customer: the account of nobody. */
const account = { accountName: 'Alex Sample', accountNumber: '9900112233' }

/** The first method and operator that the gateway offers. */
function firstOption(options: unknown): { paymentMethodCode: string; paymentOperatorCode?: string } {
  const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
  const method = first(isObject(options) ? options.data : undefined)
  if (!isObject(method) || typeof method.paymentMethodCode !== 'string') return { paymentMethodCode: 'VAPAY' }
  const { paymentMethodCode } = method
  const operator = first(method.paymentOperators)
  const code = isObject(operator) && typeof operator.code === 'string' ? operator.code : undefined
  return { paymentMethodCode, ...(code === undefined ? {} : { paymentOperatorCode: code }) }
}

const newId = () => `doctor-${randomUUID()}`

function notMade(kind: PaymentKind, { code, said }: CheckResult): Finding {
  const isReal = code === 'configuration'
  const fix = isReal ? 'Give the address and the key of a test gateway.' : noOption
  return fail(kind, isReal ? said : `not made: ${said}`, fix)
}

/** The gateway has this payin: section 4 has it say so, and whoever creates it again after a lost response counts on it. */
function judgeRepeated({
  value,
  said,
}: CheckResult & { readonly value?: { readonly replayed: boolean } }): Finding {
  if (value?.replayed === true)
    return ok('same id', 'a second create under one id is answered 409, and makes nothing')
  const message =
    value === undefined ? said : 'a second create under one id was accepted and not answered 409'
  return fail('same id', message, `${noOption} Until then a create that is sent again may pay twice.`)
}

interface Followed {
  readonly kind: PaymentKind
  readonly id: string
  /** What each status request showed. */
  readonly found: unknown[]
}

/** @returns for how many seconds. */
async function follow(
  checks: Pick<GatewayChecks, 'client' | 'last'>,
  payments: readonly Followed[],
  waitMs: number,
): Promise<number> {
  const start = performance.now()
  for (;;) {
    const open = payments.filter(({ found }) => statusesOf(found).end === undefined)
    const leftMs = start + waitMs - performance.now()
    if (open.length === 0 || (leftMs <= 0 && payments.every(({ found }) => found.length > 0))) break
    for (const { kind, id, found } of open) {
      const { payins, payouts } = checks.client
      const payment = kind === 'payin' ? payins.retrieve(id) : payouts.retrieve(id)
      const { code, value } = await resultOf<unknown>(payment)
      // One without `process` may be unusable for a client that doesn't know yet where its status stands.
      if (value !== undefined || code === 'unusable_response') found.push(checks.last)
    }
    if (leftMs <= 0) break
    await pause(Math.min(pollMs, leftMs))
  }
  return Math.round((performance.now() - start) / 1000)
}

function judgeFollowed({ kind, found }: Followed, waitedSecs: number): Finding {
  if (found.length === 0) return fail(kind, 'made, and not found under its id afterwards', noOption)
  const { statusField, words, end } = statusesOf(found)
  if (statusField === undefined) return fail(kind, 'no field of it looks like a status', noOption)
  const message = `${words.join(', then ')}, at ${statusField}`
  if (end !== undefined) return ok(kind, message)
  const fix =
    'Run it again with a longer --wait, and pay the payin meanwhile; list the status at its end by hand.'
  return warn(kind, `${message}; it had not ended after ${waitedSecs} s`, fix)
}

function* judgeStatuses(payments: readonly Followed[], needed: NeededOptions): Generator<Finding> {
  const seen = new Map(payments.map(({ kind, found }) => [kind, statusesOf(found)]))
  const field = placeOf('process.status', 'statusField', seen)
  const processedAtField = placeOf('process.processedAt', 'processedAtField', seen)
  if (field === 'two' || processedAtField === 'two') {
    yield fail(
      'statuses',
      'payins and payouts show their status in two places that one option does not name',
      noOption,
    )
    return
  }
  const ends = [...seen.values()].flatMap(({ end }) => (end === undefined || end === 'SUCCESS' ? [] : end))
  const ended = new Set(ends)
  const paid = [...ended].filter((word) => soundsPaid.test(word))
  const final = [...ended].filter((word) => !soundsPaid.test(word))
  const statuses = {
    ...(field === undefined ? {} : { field }),
    ...(processedAtField === undefined ? {} : { processedAtField }),
    ...(paid.length === 0 ? {} : { paid }),
    ...(final.length === 0 ? {} : { final }),
  }
  if (Object.keys(statuses).length === 0) return
  needed.statuses = statuses
  yield warn(
    'statuses',
    `this gateway shows ${ended.size === 0 ? 'them in another place' : [...ended].join(', ')}, which the specification does not name`,
    `Give the option statuses below${paid.length === 0 ? '' : `, after you have made sure that money moves with ${paid.join(', ')}`}.`,
  )
}

const soundsPaid = /^(?:success|succe|complet|paid|settled|done|executed|finished)/i

/** The place that the option has to name; undefined where none is needed, and `'two'` where one does not do. */
function placeOf(
  promised: string,
  name: 'statusField' | 'processedAtField',
  seen: ReadonlyMap<PaymentKind, ShownStatuses>,
): string | undefined {
  const [payin, payout] = [seen.get('payin')?.[name], seen.get('payout')?.[name]]
  // A payout is read in the place that the specification promises, too.
  if (payout === undefined || payout === promised) return payin === promised ? undefined : payin
  return payin === undefined || payin === payout ? payout : 'two'
}

const variables = { timestampUnit: 'GATEWAY_TIMESTAMP_UNIT', statuses: 'GATEWAY_STATUSES' } as const

/** The options, ready to paste. */
export function linesOfNeeded(needed: NeededOptions): readonly string[] {
  const options = Object.entries(needed)
  if (options.length === 0) return ['This gateway needs no option.']
  const { timestampUnit, statuses } = needed
  return [
    'Options of the client for this gateway:',
    ...options.map(
      ([name, value]) => `  ${name}: ${inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 })},`,
    ),
    ...(timestampUnit === undefined && statuses === undefined ? [] : ['The same in the environment:']),
    ...(timestampUnit === undefined ? [] : [`  ${variables.timestampUnit}=${timestampUnit}`]),
    ...(statuses === undefined ? [] : [`  ${variables.statuses}='${JSON.stringify(statuses)}'`]),
  ]
}
