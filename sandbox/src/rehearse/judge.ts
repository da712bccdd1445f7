import type { Case } from './case.js'
import type { AskedOrder, CountedPayment, Evidence, Order, Reference } from './evidence.js'
import type { Kind, Money } from './gateway.js'
import { type Rule, type RuleName, rules } from './rules.js'

/**
 * `right` and `wrong` were seen. `not yet`: nobody has said how long the application may take, and it had not done what it
 * should when the rehearsal stopped waiting.
 */
export type Outcome = 'right' | 'wrong' | 'not yet' | 'could not tell' | 'not played'

export interface Verdict extends Partial<Rule> {
  readonly outcome: Outcome
  /** Such as "one payment". */
  readonly sentence: string
}

type Judged = Pick<Case, 'name' | 'cause'>

/**
 * What a case has shown: one payment and not two, none lost, its money the cart's; and, where the application can
 * be asked, that it says paid when the gateway does and not before.
 */
export function judge(played: Judged, evidence: Evidence, reference: Reference): Verdict {
  const { kind } = reference
  if (evidence.notBegun !== undefined) {
    return failed(`not begun: what goes before the act failed (${evidence.notBegun})`, 'act')
  }
  const mine = evidence.payments.filter((payment) => payment.kind === kind)
  const [payment] = mine
  if (payment === undefined) {
    const rule = hasGoneWrong(played, evidence) ? 'none' : 'act'
    const isDone = evidence.acts.at(-1)?.end === 'done'
    return isDone
      ? overdue(none(played, evidence, kind), rule, evidence)
      : failed(none(played, evidence, kind), rule)
  }
  if (mine.length > 1) return several(played, mine, evidence, kind)
  return (
    promised(played, payment, evidence, reference) ??
    others(played, evidence, reference) ??
    money(payment, evidence, reference) ??
    unseen(evidence) ??
    told(payment, evidence) ?? { outcome: 'right', sentence: passed(evidence) }
  )
}

/** Whether something was found: what nobody could tell is no finding. */
export function isFinding({ outcome }: Verdict): boolean {
  return outcome === 'wrong' || outcome === 'not yet'
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A number as it reads best in a sentence. */
function counted(count: number): string {
  return words[count] ?? String(count)
}

export function notPlayed(sentence: string): Verdict {
  return { outcome: 'not played', sentence: `not played: ${sentence}` }
}

/** Where nobody can say whether the application was right. */
function untold(why: string): Verdict {
  return { outcome: 'could not tell', sentence: `could not tell: ${why}` }
}

function failed(sentence: string, broken: RuleName): Verdict {
  return { outcome: 'wrong', sentence, ...rules[broken] }
}

/** What an application has not done, and may still do where nobody has said how long it takes. */
function overdue(sentence: string, broken: RuleName, { mayTakeLonger }: Evidence): Verdict {
  const verdict = failed(sentence, broken)
  return mayTakeLonger ? { ...verdict, outcome: 'not yet' } : verdict
}

function none(played: Judged, evidence: Evidence, kind: Kind): string {
  const { acts, payments } = evidence
  if (acts.at(-1)?.end === 'done') {
    // It may hold one of the other kind.
    const what = payments.length === 0 ? 'payment' : kind
    return `none: the application says it went well, and the gateway holds no ${what}`
  }
  const tries = acts.length === 1 ? 'the act failed' : `the act failed ${counted(acts.length)} times`
  return hasGoneWrong(played, evidence)
    ? `none: ${tries} after ${played.cause}`
    : `none: ${tries} (${acts.at(-1)?.says}), although nothing had gone wrong`
}

/** What was not seen to happen is no cause. */
function hasGoneWrong({ name }: Judged, { unmet }: Evidence): boolean {
  return name !== 'clean' && unmet === undefined
}

function several(played: Judged, mine: readonly CountedPayment[], evidence: Evidence, kind: Kind): Verdict {
  const payments = `${counted(mine.length)} payments`
  if (mine.length - 1 <= evidence.missing[kind]) return untold(`${payments}, ${maybeLate}`)
  if (!hasGoneWrong(played, evidence))
    return failed(`${payments}, although nothing had gone wrong`, 'several')
  const sentence = `${payments}: the application made a new id after`
  if (isRenewed(evidence.orders, kind)) return failed(`${sentence} the 409`, 'several')
  const isTogether = evidence.acts.some(({ at }, index, all) => {
    return all.slice(0, index).some((before) => at < before.at + before.tookMs)
  })
  return failed(`${sentence} ${played.cause}`, isTogether ? 'together' : 'several')
}

/** Whether a create that was answered 409 is followed by one with an id that was not there before. */
function isRenewed(orders: readonly AskedOrder[], kind: Kind): boolean {
  const mine = orders.filter((order) => order.kind === kind)
  return mine.some(({ isConflict }, at) => {
    return isConflict === true && mine.findIndex(({ id }) => id === mine[at + 1]?.id) === at + 1
  })
}

const maybeLate = 'and an earlier cart that had none may have got one late'

/** A cart without a fault has to be what the user says, and a refund what was paid. */
function promised(
  { name }: Judged,
  payment: CountedPayment,
  { before }: Evidence,
  { price }: Reference,
): Verdict | undefined {
  if (name !== 'clean') return undefined
  if (price !== undefined) {
    const wrong = difference(payment, { money: price, account: undefined }, false)
    if (wrong !== undefined) return failed(`one payment, ${wrong}`, 'price')
  }
  if (payment.kind !== 'payout' || before === undefined) return undefined
  const { money, account } = before
  const isMore = payment.money.currencyCode !== money.currencyCode || payment.money.amount > money.amount
  if (price === undefined && isMore) {
    return failed(`one payment, of ${text(payment.money)} for ${text(money)} that was paid`, 'refund')
  }
  const isElsewhere = account !== undefined && payment.account !== account
  return isElsewhere
    ? failed('one payment, to another account than the one that has paid', 'refund')
    : undefined
}

/** Such as a payout for each of ten callbacks. */
function others(
  { cause }: Judged,
  { payments, missing }: Evidence,
  reference: Reference,
): Verdict | undefined {
  const other = reference.kind === 'payin' ? 'payout' : 'payin'
  const found = payments.filter(({ kind }) => kind === other)
  const surplus = found.length - reference.others
  if (surplus <= 0) return undefined
  const sentence = `one payment, and ${counted(found.length)} ${other}${found.length === 1 ? '' : 's'} in place of ${counted(reference.others)}`
  if (surplus <= missing[other]) return untold(`${sentence}, ${maybeLate}`)
  return failed(`${sentence} after ${cause}`, 'several')
}

function money(
  payment: CountedPayment,
  { missing, orders }: Evidence,
  reference: Reference,
): Verdict | undefined {
  const { order } = reference
  const own = orders.find(({ kind }) => kind === payment.kind) ?? payment
  const wanted = { money: order?.money ?? own.money, account: order?.account ?? own.account }
  for (const found of [payment, ...orders.filter(({ kind }) => kind === payment.kind)]) {
    const wrong = difference(found, wanted, payment.kind === 'payout')
    if (wrong === undefined) continue
    if (found === payment) return failed(`one payment, ${wrong}`, 'money')
    const sentence = `one payment, and a create ${wrong}`
    const mayBeAnother = missing[found.kind] > 0 && found.id !== payment.id
    return mayBeAnother ? untold(`${sentence} that may be an earlier cart's`) : failed(sentence, 'money')
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
function unseen({ unmet }: Evidence): Verdict | undefined {
  return unmet === undefined ? undefined : untold(`one payment, and ${unmet}`)
}

function told(payment: CountedPayment, evidence: Evidence): Verdict | undefined {
  const { acts, said, saidTooEarly, delivered, isShort } = evidence
  const isPaid = payment.status === 'SUCCESS' && isShort !== true
  const state = isShort ? '0.01 paid' : payment.status
  if (delivered !== undefined && delivered.early > 0) {
    return failed('one payment, and the cart was delivered before it was paid', 'early')
  }
  if (delivered !== undefined && delivered.last > (isPaid ? 1 : 0)) {
    return isPaid
      ? failed(`one payment, and the cart was delivered ${counted(delivered.last)} times`, 'shipped')
      : failed(`${state} at the gateway, and the cart was delivered`, 'early')
  }
  if (saidTooEarly) {
    return failed('one payment, and the application said paid before the gateway did', 'early')
  }
  if (said === undefined) {
    if (acts.some(({ end }) => end === 'done')) return undefined
    return failed("one payment, and the application doesn't know it: every act failed", 'unknown')
  }
  if (said === 'paid') {
    if (isPaid && delivered?.last === 0) {
      return overdue('paid at the gateway, and the cart was not delivered', 'late', evidence)
    }
    return isPaid ? undefined : failed(`${state} at the gateway, and the application says paid`, 'early')
  }
  if (!isPaid) return undefined
  return said === 'nothing'
    ? failed("paid at the gateway, and the application's status can't be read", 'unread')
    : overdue("paid at the gateway, and the application doesn't say so", 'late', evidence)
}

function passed({ said, delivered }: Evidence): string {
  if (said !== 'paid') return 'one payment'
  if (delivered === undefined) return 'one payment, and the application says paid'
  return 'one payment, the application says paid, and the cart was delivered once'
}

function text({ amount, currencyCode }: Money): string {
  return `${amount} ${currencyCode}`
}
