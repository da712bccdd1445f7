import type { Case } from './cases.js'
import type { CountedPayment, Evidence, Order, Reference } from './evidence.js'
import type { Kind, Money } from './gateway.js'
import { counted } from './numbers.js'

export interface Verdict {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Such as "one payment". */
  readonly sentence: string
}

type Judged = Pick<Case, 'name' | 'cause' | 'of'>

/**
 * What a case has shown: one payment and not two, none lost, its money the cart's; and, where the application can
 * be asked, that it says paid when the gateway does and not before.
 */
export function judge(played: Judged, evidence: Evidence, reference: Reference): Verdict {
  const { kind } = reference
  if (evidence.notBegun !== undefined) {
    return failed(`not begun: what goes before the act failed (${evidence.notBegun})`)
  }
  const mine = evidence.payments.filter((payment) => payment.kind === kind)
  const [payment] = mine
  if (payment === undefined) return failed(none(played, evidence, kind))
  if (mine.length > 1) return failed(several(played, mine.length))
  return (
    others(played, evidence, reference) ??
    money(payment, evidence, reference) ??
    unmet(played, evidence) ??
    told(payment, evidence) ?? { outcome: 'passed', sentence: passed(evidence) }
  )
}

export function skipped(sentence: string): Verdict {
  return { outcome: 'skipped', sentence }
}

function failed(sentence: string): Verdict {
  return { outcome: 'failed', sentence }
}

function none({ name, cause }: Judged, { acts, payments }: Evidence, kind: Kind): string {
  if (acts.at(-1)?.end === 'done') {
    // It may hold one of the other kind.
    const what = payments.length === 0 ? 'payment' : kind
    return `none: the application says it went well, and the gateway holds no ${what}`
  }
  const tries = acts.length === 1 ? 'the act failed' : `the act failed ${counted(acts.length)} times`
  return name === 'clean'
    ? `none: ${tries}, although nothing had gone wrong`
    : `none: ${tries} after ${cause}`
}

function several({ name, cause }: Judged, count: number): string {
  const payments = `${counted(count)} payments`
  if (name === 'clean') return `${payments}, although nothing had gone wrong`
  return `${payments}: the application made a new id after ${cause}`
}

/** Such as a payout for each of ten callbacks. */
function others({ cause }: Judged, { payments }: Evidence, reference: Reference): Verdict | undefined {
  const other = reference.kind === 'payin' ? 'payout' : 'payin'
  const count = payments.filter(({ kind }) => kind === other).length
  if (count <= reference.others) return undefined
  const right = counted(reference.others)
  return failed(
    `one payment, and ${counted(count)} ${other}${count === 1 ? '' : 's'} in place of ${right} after ${cause}`,
  )
}

function money(payment: CountedPayment, { orders }: Evidence, reference: Reference): Verdict | undefined {
  const { order } = reference
  const own = orders.find(({ kind }) => kind === payment.kind) ?? payment
  const wanted = { money: order?.money ?? own.money, account: order?.account ?? own.account }
  for (const found of [payment, ...orders.filter(({ kind }) => kind === payment.kind)]) {
    const wrong = difference(found, wanted, payment.kind === 'payout')
    if (wrong === undefined) continue
    return failed(found === payment ? `one payment, ${wrong}` : `one payment, and a create ${wrong}`)
  }
  return undefined
}

/** Where a payout goes is the cart's; whose account a customer pays from is the customer's. */
function difference(found: Order, wanted: Order, comparesAccount: boolean): string | undefined {
  const { amount, currencyCode } = found.money
  if (amount !== wanted.money.amount || currencyCode !== wanted.money.currencyCode) {
    return `of ${text(found.money)} in place of ${text(wanted.money)}`
  }
  return comparesAccount && found.account !== wanted.account ? 'to another account' : undefined
}

/** A case that happened to nobody has shown nothing. */
function unmet({ of }: Judged, { hasMet }: Evidence): Verdict | undefined {
  if (hasMet) return undefined
  if (of !== 'callback') return skipped('one payment, and nothing met what was armed')
  return skipped('one payment, and no callback was sent: the create names no callbackUrl')
}

function told(payment: CountedPayment, { acts, said, saidTooEarly }: Evidence): Verdict | undefined {
  const isPaid = payment.status === 'SUCCESS'
  if (saidTooEarly) return failed('one payment, and the application said paid before the gateway did')
  if (said === undefined) {
    if (acts.some(({ end }) => end === 'done')) return undefined
    return failed("one payment, and the application doesn't know it: every act failed")
  }
  if (said === 'paid') {
    return isPaid ? undefined : failed(`${payment.status} at the gateway, and the application says paid`)
  }
  if (!isPaid) return undefined
  return failed(
    said === 'nothing'
      ? "paid at the gateway, and the application's status can't be read"
      : "paid at the gateway, and the application doesn't say so",
  )
}

function passed({ said }: Evidence): string {
  return said === 'paid' ? 'one payment, and the application says paid' : 'one payment'
}

function text({ amount, currencyCode }: Money): string {
  return `${amount} ${currencyCode}`
}
