import type { PaymentKind } from '../gateway/payments/payment.js'
import type { SandboxMoney } from '../gateway/wire/money.js'
import { amountText } from '../page/api/text.js'
import type { Case } from './case.js'
import type { Asked, AskedPayment, CountedPayment, Evidence, Reference } from './evidence.js'
import { type Rule, type RuleName, rules } from './rules.js'

/** `not yet`: nobody has said how long the application may take, and it had not done what it should in time. */
export type Outcome = 'right' | 'wrong' | 'not yet' | 'could not tell' | 'not played'

export interface Verdict extends Partial<Rule> {
  readonly outcome: Outcome
  readonly sentence: string
}

type Judged = Pick<Case, 'name' | 'cause'>

/** One payment and not two, none lost, its money the order's; and the application says paid when the gateway does. */
export function judge(played: Judged, evidence: Evidence, reference: Reference): Verdict {
  const [worst] = findings(played, evidence, reference)
  return worst ?? { outcome: 'right', sentence: passed(evidence) }
}

/** All that speaks against the application, or against having seen anything: the worst first. */
function* findings(played: Judged, evidence: Evidence, reference: Reference): Iterable<Verdict> {
  const { kind } = reference
  const { notBegun, skipped, unmet } = evidence
  if (notBegun !== undefined) {
    yield failed(`not begun: what goes before the action failed (${notBegun})`, 'action')
  }
  const mine = evidence.payments.filter((payment) => payment.kind === kind)
  const [payment] = mine
  if (payment === undefined) return yield none(played, evidence, kind)
  if (mine.length > 1) yield several(played, mine, evidence, kind)
  if (played.name === 'clean') yield* notAsPromised(payment, evidence.before, reference.price)
  yield* tooManyOthers(played, evidence, reference)
  yield* otherMoney(payment, evidence, reference.asked)
  // A case that happened to nobody has shown nothing.
  if (unmet !== undefined) yield unclear(`one payment, and ${unmet}`)
  yield* notAsTheGateway(payment, evidence)
  if (skipped !== undefined) yield notPlayed(skipped)
}

export function isFinding({ outcome }: Verdict): boolean {
  return outcome === 'wrong' || outcome === 'not yet'
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

function counted(count: number): string {
  return words[count] ?? String(count)
}

export function notPlayed(sentence: string): Verdict {
  return { outcome: 'not played', sentence: `not played: ${sentence}` }
}

function unclear(why: string): Verdict {
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

function none(played: Judged, evidence: Evidence, kind: PaymentKind): Verdict {
  const { actions, payments } = evidence
  const last = actions.at(-1)
  const isCaused = hasGoneWrong(played, evidence)
  if (evidence.borrows) return failed('none: its create had the id of an earlier order', 'shared')
  if (last?.end === 'done') {
    // It may hold one of the other kind.
    const what = payments.length === 0 ? 'payment' : kind
    const sentence = `none: the application says it went well, and the gateway holds no ${what}`
    return overdue(sentence, isCaused ? 'none' : 'action', evidence)
  }
  const tries =
    actions.length === 1 ? 'the action failed' : `the action failed ${counted(actions.length)} times`
  return isCaused
    ? failed(`none: ${tries} after ${played.cause}`, 'none')
    : failed(`none: ${tries} (${last?.says}), although nothing had gone wrong`, 'action')
}

/** What was not seen to happen is no cause. */
function hasGoneWrong({ name }: Judged, { unmet }: Evidence): boolean {
  return name !== 'clean' && unmet === undefined
}

function several(
  played: Judged,
  mine: readonly CountedPayment[],
  evidence: Evidence,
  kind: PaymentKind,
): Verdict {
  const payments = `${counted(mine.length)} payments`
  if (mine.length - 1 <= evidence.missing[kind]) return unclear(`${payments}, ${maybeLate}`)
  if (!hasGoneWrong(played, evidence))
    return failed(`${payments}, although nothing had gone wrong`, 'several')
  const sentence = `${payments}: the application made a new id after`
  if (isRenewed(evidence.asked, kind)) return failed(`${sentence} the 409`, 'several')
  const isTogether = evidence.actions.some(({ at }, index, all) => {
    return all.slice(0, index).some((before) => at < before.at + before.tookMs)
  })
  return failed(`${sentence} ${played.cause}`, isTogether ? 'together' : 'several')
}

/** Whether a create that was answered 409 is followed by one with an id that was not there before. */
function isRenewed(asked: readonly AskedPayment[], kind: PaymentKind): boolean {
  const mine = asked.filter((one) => one.kind === kind)
  return mine.some(({ isConflict }, at) => {
    return isConflict === true && mine.findIndex(({ id }) => id === mine[at + 1]?.id) === at + 1
  })
}

const maybeLate = 'and an earlier order that had none may have got one late'

/** An order without a fault has to be what the user says, and a refund what was paid. */
function* notAsPromised(payment: CountedPayment, before?: Asked, price?: SandboxMoney): Iterable<Verdict> {
  if (price !== undefined) {
    const wrong = difference(payment, { money: price, account: undefined }, false)
    if (wrong !== undefined) yield failed(`one payment, ${wrong}`, 'price')
  }
  if (payment.kind !== 'payout' || before === undefined) return
  const { money, account } = before
  const isMore = payment.money.currencyCode !== money.currencyCode || payment.money.amount > money.amount
  if (price === undefined && isMore) {
    yield failed(`one payment, of ${text(payment.money)} for ${text(money)} that was paid`, 'refund')
  }
  if (account !== undefined && payment.account !== account) {
    yield failed('one payment, to another account than the one that has paid', 'refund')
  }
}

/** Such as a payout for each of ten callbacks. */
function* tooManyOthers({ cause }: Judged, { payments, missing }: Evidence, reference: Reference) {
  const other = reference.kind === 'payin' ? 'payout' : 'payin'
  const count = payments.filter(({ kind }) => kind === other).length
  const surplus = count - reference.others
  if (surplus <= 0) return
  const sentence = `one payment, and ${counted(count)} ${other}${count === 1 ? '' : 's'} in place of ${counted(reference.others)}`
  yield surplus <= missing[other]
    ? unclear(`${sentence}, ${maybeLate}`)
    : failed(`${sentence} after ${cause}`, 'several')
}

function* otherMoney(payment: CountedPayment, { missing, asked: all }: Evidence, asked?: Asked) {
  const mine = all.filter(({ kind }) => kind === payment.kind)
  const { money, account } = mine[0] ?? payment
  const wanted = { money: asked?.money ?? money, account: asked?.account ?? account }
  for (const found of [payment, ...mine]) {
    const wrong = difference(found, wanted, payment.kind === 'payout')
    if (wrong === undefined) continue
    if (found === payment) yield failed(`one payment, ${wrong}`, 'money')
    const sentence = `one payment, and a create ${wrong}`
    const mayBeAnother = missing[found.kind] > 0 && found.id !== payment.id
    yield mayBeAnother ? unclear(`${sentence} that may be an earlier order's`) : failed(sentence, 'money')
  }
}

/** Where a payout goes is the order's; whose account a customer pays from is the customer's. */
function difference(found: Asked, wanted: Asked, comparesAccount: boolean): string | undefined {
  const { amount, currencyCode } = found.money
  if (amount !== wanted.money.amount || currencyCode !== wanted.money.currencyCode) {
    return `of ${text(found.money)} in place of ${text(wanted.money)}`
  }
  return comparesAccount && found.account !== wanted.account ? 'to another account' : undefined
}

function* notAsTheGateway(payment: CountedPayment, evidence: Evidence): Iterable<Verdict> {
  const { actions, asked, said, saidTooEarly, delivered, shows } = evidence
  const isPaid = payment.status === 'SUCCESS' && shows === undefined
  const state = shows ?? payment.status
  const { early = 0, last = 0 } = delivered ?? {}
  if (early > 0) yield failed('one payment, and the order was delivered before it was paid', 'early')
  if (isPaid && last > 1) {
    yield failed(`one payment, and the order was delivered ${counted(last)} times`, 'shipped')
  }
  if (!isPaid && last > 0) yield failed(`${state} at the gateway, and the order was delivered`, 'early')
  if (saidTooEarly) yield failed('one payment, and the application said paid before the gateway did', 'early')
  if (actions.every(({ end }) => end !== 'done')) {
    // Of a shop that refuses the second click by itself, the customer knows that there is an order.
    const isConflict = asked.findLast(({ kind }) => kind === payment.kind)?.isConflict === true
    const tries = actions.length === 1 ? 'the action' : 'every action'
    if (isConflict) yield failed(`one payment, and ${tries} failed after the 409`, 'unknown')
    if (said === undefined) yield unclear(`one payment, and ${tries} failed; --status would show more`)
  }
  if (!isPaid && said === 'paid') {
    yield failed(`${state} at the gateway, and the application says paid`, 'early')
  }
  if (!isPaid) return
  if (said === 'paid' && delivered?.last === 0) {
    yield overdue('paid at the gateway, and the order was not delivered', 'undelivered', evidence)
  }
  if (said === 'nothing') {
    yield failed("paid at the gateway, and the application's status can't be read", 'unread')
  }
  if (said === 'not paid') {
    yield overdue("paid at the gateway, and the application doesn't say so", 'late', evidence)
  }
}

function passed({ said, delivered }: Evidence): string {
  if (said !== 'paid') return 'one payment'
  if (delivered === undefined) return 'one payment, and the application says paid'
  return 'one payment, the application says paid, and the order was delivered once'
}

function text({ amount, currencyCode }: SandboxMoney): string {
  return `${amountText(Number(amount), currencyCode)} ${currencyCode}`
}
