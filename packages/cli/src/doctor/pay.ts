import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Money, PaymentKind, StatusRules } from 'merchant-gateway'
import { isObject } from '../input/values.js'
import { check, type With } from './check.js'
import { fail, type Judged, ok, warn } from './finding.js'
import { type CheckResult, resultOf } from './gateway.js'
import { statusesOf } from './places.js'

/** What `doctor --pay` is told. */
export interface PayCheck {
  readonly money: Money
  /** How long payments are followed that have not ended. */
  readonly waitMs: number
}

/** A payment that was made. */
export interface Followed {
  readonly look: () => Promise<unknown>
  /** Sends the same create once more. */
  readonly again: () => Promise<Made>
  /** What each status request showed. */
  readonly found: unknown[]
}

type Made = CheckResult & { readonly value?: { readonly replayed: boolean } }
type Paying = With<'gateway' | 'granted' | 'pay'>

const noOption = 'No option of the client mends this: ask the platform.'

/**
 * Make one payin and one payout, follow them, and write down which options their statuses need. The client has
 * `live: false`, so that it makes no payout where the payin shows that its money is real.
 */
export const payChecks = [
  check('payin', ['granted', 'pay'], async (known) => {
    const { payins } = known.granted.client
    const paymentRequested = { money: known.pay.money }
    const options = await resultOf(payins.paymentOptions(known.pay.money))
    const paymentMethod = { ...firstOption(options.value), account }
    const idPayin = newId()
    const again = () => resultOf(payins.create({ idPayin, paymentRequested, paymentMethod }))
    const { value, ...failed } = await again()
    if (value === undefined) return notMade(failed)
    known.payin = { look: () => payins.retrieve(idPayin), again, found: [] }
    return undefined
  }),
  check('same id', ['payin'], async ({ payin }) => judgeRepeated(await payin.again())),
  check('payout', ['granted', 'pay'], async (known) => {
    const { payouts } = known.granted.client
    const paymentRequested = { money: known.pay.money }
    const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
    const idPayout = newId()
    const again = () => resultOf(payouts.create({ idPayout, paymentRequested, paymentMethod }))
    const { value, ...failed } = await again()
    if (value === undefined) return notMade(failed)
    known.payout = { look: () => payouts.retrieve(idPayout), again, found: [] }
    return undefined
  }),
  followed('payin'),
  followed('payout'),
  check('statuses', ['gateway', 'granted', 'pay'], judgeStatuses),
]

/** A made-up customer: the account of nobody. */
const account = { accountName: 'Alex Sample', accountNumber: '9900112233' }

const newId = () => `doctor-${randomUUID()}`

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

function notMade({ code, said }: CheckResult): Judged {
  if (code === 'configuration') return fail(said, 'Give the address and the key of a test gateway.')
  return fail(`not made: ${said}`, noOption)
}

/** Section 4 has the gateway say that it has this payin, and whoever creates it again after a lost response counts on it. */
function judgeRepeated({ value, said }: Made): Judged {
  if (value?.replayed === true) return ok('a second create under one id is answered 409, and makes nothing')
  const accepted = 'a second create under one id was accepted and not answered 409'
  const fix = `${noOption} Until then a create that is sent again may pay twice.`
  return fail(value === undefined ? said : accepted, fix)
}

function followed(kind: PaymentKind) {
  return check(kind, ['gateway', 'granted', 'pay', kind], async (known) => {
    known.followed ??= follow(known)
    const waitedSecs = await known.followed
    const { found } = known[kind]
    if (found.length === 0) return fail('made, and not found under its id afterwards', noOption)
    const { statusField, words, end } = statusesOf(found)
    if (statusField === undefined) return fail('no field of it looks like a status', noOption)
    const message = `${words.join(', then ')}, at ${statusField}`
    if (end !== undefined) return ok(message)
    return warn(
      `${message}; it had not ended after ${waitedSecs} s`,
      'Run it again with a longer --wait, and pay the payin meanwhile; list the status at its end by hand.',
    )
  })
}

const pollMs = 1000

/** @returns for how many seconds. */
async function follow({ gateway, pay, payin, payout }: Paying): Promise<number> {
  const payments = [payin, payout].filter((one) => one !== undefined)
  const start = performance.now()
  for (;;) {
    const open = payments.filter(({ found }) => statusesOf(found).end === undefined)
    for (const { look, found } of open) {
      const { code, value } = await resultOf(look())
      // One without `process` may be unusable for a client that doesn't know yet where its status stands.
      if (value !== undefined || code === 'unusable_response') found.push(gateway.last)
    }
    const leftMs = start + pay.waitMs - performance.now()
    if (open.length === 0 || leftMs <= 0) return Math.round((performance.now() - start) / 1000)
    await pause(Math.min(pollMs, leftMs))
  }
}

const soundsPaid = /^(?:success|succe|complet|paid|settled|done|executed|finished)/i

function judgeStatuses({ needed, payin, payout }: Paying): Judged | undefined {
  const [ofPayin, ofPayout] = [statusesOf(payin?.found ?? []), statusesOf(payout?.found ?? [])]
  const field = placeOf('process.status', ofPayin.statusField, ofPayout.statusField)
  const timeField = placeOf('process.processedAt', ofPayin.processedAtField, ofPayout.processedAtField)
  if (field === 'two' || timeField === 'two')
    return fail('payins and payouts show their status in two places that one option does not name', noOption)
  const ends = new Set([ofPayin.end, ofPayout.end].flatMap((end) => end ?? []))
  ends.delete('SUCCESS')
  const paid = [...ends].filter((word) => soundsPaid.test(word))
  const final = [...ends].filter((word) => !soundsPaid.test(word))
  const statuses: StatusRules = {
    ...(field !== undefined && { field }),
    ...(timeField !== undefined && { processedAtField: timeField }),
    ...(paid.length > 0 && { paid }),
    ...(final.length > 0 && { final }),
  }
  if (Object.keys(statuses).length === 0) return undefined
  needed.statuses = statuses
  const shown = ends.size === 0 ? 'them in another place' : [...ends].join(', ')
  const sure = paid.length === 0 ? '' : `, after you have made sure that money moves with ${paid.join(', ')}`
  return warn(
    `this gateway shows ${shown}, which the specification does not name`,
    `Give the option statuses below${sure}.`,
  )
}

/** The place that the option has to name; undefined where none is needed, and `'two'` where one does not do. */
function placeOf(
  promised: string,
  payin: string | undefined,
  payout: string | undefined,
): string | undefined {
  // A payout is read in the place that the specification promises, too.
  if (payout === undefined || payout === promised) return payin === promised ? undefined : payin
  return payin === undefined || payin === payout ? payout : 'two'
}
