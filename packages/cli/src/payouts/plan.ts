import { createHash } from 'node:crypto'
import { WrongLines } from '../exit-codes.js'
import type { CurrencyTotal, SendableLine } from '../files/payout-file.js'
import { Totals } from '../files/totals.js'
import { countOf, printable } from '../text.js'
import { Counter, stateOf } from './counts.js'
import { contentOf, difference, recordOf } from './line-record.js'
import { type Known, mayBeSent, type Results } from './results.js'
import type { Task } from './send-all.js'

/** What a run of a file has to do, after what earlier ones have done. */
export interface Plan {
  readonly tasks: readonly Task[]
  /** The sums of what is to be sent or followed: what somebody has to say yes to. */
  readonly totals: readonly CurrencyTotal[]
  readonly counter: Counter
  /** Lines that ask for the same money to the same account as a line before them. */
  readonly twins: readonly { readonly line: number; readonly first: number }[]
  /** How many payouts may have been sent whose lines are in the file no more. */
  readonly withoutLine: number
  /** Stands for all that the file asks for: what was agreed to needs no second yes. */
  readonly lines: string
}

export interface PlanOptions {
  /** Asks again what was refused, too. */
  readonly retry?: boolean | undefined
  /** Takes what the gateway had before as the payouts of this file. */
  readonly acceptFound?: boolean | undefined
  /** Pays lines again that were sent under another id. */
  readonly payAgain?: boolean | undefined
}

/**
 * @throws {WrongLines} when a line asks for something else than it did when it was sent: the gateway never
 * shows an account, so that nobody later could tell which one the money went to. And when it asks for what was
 * sent under an id that is in the file no more: a file without ids was put back.
 */
export function planOf(lines: readonly SendableLine[], results: Results, options: PlanOptions): Plan {
  const tasks: Task[] = []
  const wrong: Wrong = { changed: [], again: [] }
  const twins: { line: number; first: number }[] = []
  const totals = new Totals()
  const counter = new Counter()
  const digest = createHash('sha256')
  const firstWith = new Map<string, number>()
  const ids = new Set(lines.map(({ request }) => request.idPayout))
  const gone = results.withoutLine(ids)
  const all = [...gone.values()].flat()
  for (const one of lines) {
    const { line, request } = one
    const { idPayout, paymentRequested } = request
    const record = recordOf(line, request, results.salt)
    const content = contentOf(record)
    digest.update(`${JSON.stringify([idPayout, content])}\n`)
    const first = firstWith.get(content)
    if (first === undefined) firstWith.set(content, line)
    else twins.push({ line, first })
    const known = results.get(idPayout)
    counter.add(stateOf(known))
    const differs = known === undefined ? undefined : difference(record, known.record)
    // An id under which the same was sent, and which is in the file no more. Each stands for one line.
    const before = known === undefined ? gone.get(content)?.shift() : undefined
    if (before !== undefined) wrong.again.push({ line, before })
    if (differs !== undefined && known !== undefined && mayBeSent(known))
      wrong.changed.push({ line, differs })
    else if (isToSend(known, differs !== undefined, options)) {
      tasks.push({ ...taskOf(idPayout, known), line: one, record })
      totals.add(paymentRequested.money.amount, paymentRequested.money.currencyCode)
    }
  }
  const agreed = digest.digest('hex')
  const { agreed: earlier } = results
  const mayPayAgain = options.payAgain === true || (earlier?.again === true && earlier.lines === agreed)
  refuse(wrong, mayPayAgain)
  for (const idPayout of all) {
    const known = results.get(idPayout)
    counter.add(stateOf(known))
    if (known?.outcome?.state !== 'accepted') continue
    tasks.push(taskOf(idPayout, known))
    totals.add(known.record.amount, known.record.currencyCode)
  }
  return { tasks, totals: totals.list(), counter, twins, withoutLine: all.length, lines: agreed }
}

interface Wrong {
  readonly changed: { readonly line: number; readonly differs: string }[]
  readonly again: { readonly line: number; readonly before: string }[]
}

function refuse({ changed, again }: Wrong, mayPayAgain: boolean): void {
  if (changed.length > 0) {
    const which = `${countOf(changed.length, 'line')} ${changed.length === 1 ? 'has' : 'have'}`
    throw new WrongLines(
      `${which} changed since it was sent; nothing was sent now.`,
      changed.map(({ line, differs }) => ({
        line,
        reason: `its payout was sent before with another ${differs} under the same idPayout; put the line back as it was, or give it a new id if you mean a second payout.`,
      })),
    )
  }
  if (again.length === 0 || mayPayAgain) return
  throw new WrongLines(
    `${countOf(again.length, 'line')} of the file would be paid a second time; nothing was sent now. Put the file with its ids back, or give --pay-again if you mean second payouts.`,
    again.map(({ line, before }) => ({
      line,
      reason: `the same money was sent to the same account under the idPayout ${before}, which is in the file no more.`,
    })),
  )
}

/** Only a refusal of a payout that was never sent leaves room for another try of the same id. */
function isToSend(known: Known | undefined, isMended: boolean, options: PlanOptions): boolean {
  const state = stateOf(known)
  if (state === 'refused') return isMended || options.retry === true
  if (state === 'look') return options.acceptFound === true
  return state === 'waiting' || state === 'unknown' || state === 'accepted'
}

function taskOf(idPayout: string, known: Known | undefined): Task {
  const isNew = known === undefined || !mayBeSent(known)
  const task = { idPayout, dueMs: 0, isOpen: true }
  if (isNew) return { ...task, starts: 0, state: undefined, isNoted: false }
  const earlier = { ...task, starts: 1, isNoted: true, sentBefore: known.firstSentAt }
  return known.outcome?.state === 'accepted'
    ? { ...earlier, state: { v: 1, step: 'follow', sent: 'accepted', starts: 1, tries: 0 } }
    : {
        ...earlier,
        state: undefined,
        sentBefore: known.outcome?.state === 'look' ? undefined : known.firstSentAt,
      }
}

/** `2 payouts, 35.00 EUR` for each currency, with the balance where it is known. */
export function linesOfTotals(
  totals: readonly CurrencyTotal[],
  balances: ReadonlyMap<string, string> = new Map(),
): string[] {
  return totals.map(({ currencyCode, payouts, amount }) => {
    const balance = balances.get(currencyCode)
    // The balance is what the gateway has written, whatever that is.
    const beside =
      balance === undefined ? '' : ` (balance: ${printable(balance.slice(0, 40))} ${currencyCode})`
    return `  ${countOf(payouts, 'payout')}, ${amount} ${currencyCode}${beside}`
  })
}
