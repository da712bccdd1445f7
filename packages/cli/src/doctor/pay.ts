import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { GatewayClient, Money, PaymentKind, StatusRules } from 'merchant-gateway'
import { fail, type Judged, type NeededOptions, ok, type Say, warn } from './finding.js'
import { type CheckResult, type Gateway, resultOf } from './gateway.js'
import { statusesOf } from './places.js'

export interface PayCheck {
  readonly money: Money
  /** How long payments are followed that have not ended. */
  readonly waitMs: number
}

interface Followed {
  /** The same create each time. */
  readonly create: () => Promise<Made>
  readonly look: () => Promise<unknown>
  /** What each status request showed. */
  readonly found: unknown[]
}

type Made = CheckResult & { readonly value?: { readonly replayed: boolean } }

const noOption = 'No option of the client mends this: ask the platform.'

/**
 * Makes one payin and one payout, follows them, and writes down which options their statuses need. The client has
 * `live: false`, so that it makes no payout where the payin shows that its money is real.
 */
export async function checkPay(
  gateway: Gateway,
  client: GatewayClient,
  { money, waitMs }: PayCheck,
  needed: NeededOptions,
  say: Say,
): Promise<void> {
  const payin = await madePayin(client, money, say)
  if (payin !== undefined) say('same id', judgeRepeated(await payin.create()))
  const payout = await madePayout(client, money, say)
  const waitedSecs = await follow(gateway, waitMs, payin, payout)
  if (payin !== undefined) say('payin', judgeFollowed(payin, waitedSecs))
  if (payout !== undefined) say('payout', judgeFollowed(payout, waitedSecs))
  say('statuses', judgeStatuses(needed, payin?.found ?? [], payout?.found ?? []))
}

async function madePayin({ payins }: GatewayClient, money: Money, say: Say): Promise<Followed | undefined> {
  const { value } = await resultOf(payins.paymentOptions(money))
  // The first method and operator that the gateway offers, whatever else it may have written there.
  const [method] = value?.data ?? []
  const paymentMethodCode = method?.paymentMethodCode ?? 'VAPAY'
  const paymentOperatorCode = method?.paymentOperators?.[0]?.code
  const paymentMethod = { paymentMethodCode, account, ...(paymentOperatorCode && { paymentOperatorCode }) }
  const idPayin = newId()
  return made('payin', say, {
    create: () => resultOf(payins.create({ idPayin, paymentRequested: { money }, paymentMethod })),
    look: () => payins.retrieve(idPayin),
    found: [],
  })
}

function madePayout({ payouts }: GatewayClient, money: Money, say: Say): Promise<Followed | undefined> {
  const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
  const idPayout = newId()
  return made('payout', say, {
    create: () => resultOf(payouts.create({ idPayout, paymentRequested: { money }, paymentMethod })),
    look: () => payouts.retrieve(idPayout),
    found: [],
  })
}

/** A made-up customer: the account of nobody. */
const account = { accountName: 'Alex Sample', accountNumber: '9900112233' }

const newId = () => `doctor-${randomUUID()}`

async function made(kind: PaymentKind, say: Say, payment: Followed): Promise<Followed | undefined> {
  const { value, code, said } = await payment.create()
  if (value !== undefined) return payment
  const isReal = code === 'configuration'
  say(
    kind,
    isReal
      ? fail(said, 'Give the address and the key of a test gateway.')
      : fail(`not made: ${said}`, noOption),
  )
  return undefined
}

/** Section 4 has the gateway say that it has this payin, and whoever creates it again after a lost response counts on it. */
function judgeRepeated({ value, said }: Made): Judged {
  if (value?.replayed === true) return ok('a second create under one id is answered 409, and makes nothing')
  const accepted = 'a second create under one id was accepted and not answered 409'
  const fix = `${noOption} Until then a create that is sent again may pay twice.`
  return fail(value === undefined ? said : accepted, fix)
}

function judgeFollowed({ found }: Followed, waitedSecs: number): Judged {
  if (found.length === 0) return fail('made, and not found under its id afterwards', noOption)
  const { statusField, words, end } = statusesOf(found)
  if (statusField === undefined) return fail('no field of it looks like a status', noOption)
  const message = `${words.join(', then ')}, at ${statusField}`
  if (end !== undefined) return ok(message)
  return warn(
    `${message}; it had not ended after ${waitedSecs} s`,
    'Run it again with a longer --wait, and pay the payin meanwhile; list the status at its end by hand.',
  )
}

const pollMs = 1000

/** @returns for how many seconds. */
async function follow(
  gateway: Gateway,
  waitMs: number,
  ...made: readonly (Followed | undefined)[]
): Promise<number> {
  const payments = made.filter((one) => one !== undefined)
  const start = performance.now()
  for (;;) {
    const open = payments.filter(({ found }) => statusesOf(found).end === undefined)
    for (const { look, found } of open) {
      const { code, value } = await resultOf(look())
      // One without `process` may be unusable for a client that doesn't know yet where its status stands.
      if (value !== undefined || code === 'unusable_response') found.push(gateway.last)
    }
    const leftMs = start + waitMs - performance.now()
    if (open.length === 0 || leftMs <= 0) return Math.round((performance.now() - start) / 1000)
    await pause(Math.min(pollMs, leftMs))
  }
}

const soundsPaid = /^(?:success|succe|complet|paid|settled|done|executed|finished)/i

function judgeStatuses(
  needed: NeededOptions,
  payin: readonly unknown[],
  payout: readonly unknown[],
): Judged | undefined {
  const [ofPayin, ofPayout] = [statusesOf(payin), statusesOf(payout)]
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
