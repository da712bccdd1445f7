import type { MoneyInput } from 'merchant-gateway'
import { WrongLines } from '../exit-codes.js'
import type { SendableLine } from '../files/payout-file.js'
import { type CurrencyTotal, totalsOf } from '../files/totals.js'
import { countOf } from '../text.js'
import { nextStep, type PlanOptions } from './line.js'
import { contentOf, difference, recordOf } from './line-record.js'
import type { Known, Results } from './results.js'
import type { Task } from './send-all.js'
import { mayBeSent } from './states.js'

/** What a run of a file has to do, after what earlier ones have done. */
export interface Plan {
  readonly lines: readonly SendableLine[]
  readonly tasks: readonly Task[]
  /** The sums of what is to be sent or followed: what somebody has to say yes to. */
  readonly totals: readonly CurrencyTotal[]
  /** All payouts of the file, and those that may have been sent and whose lines are in it no more. */
  readonly ids: readonly string[]
  readonly withoutLine: number
  /** Lines that ask for the same money to the same account as a line before them. */
  readonly duplicates: readonly { readonly line: number; readonly first: number }[]
}

/**
 * @throws {WrongLines} when a line asks for something else than it did when it was sent: the gateway never shows an
 * account, so nobody could tell later where the money went. And when it asks for what was sent under an id that is in
 * the file no more: a file without ids was put back.
 */
export function planOf(lines: readonly SendableLine[], results: Results, options: PlanOptions): Plan {
  const tasks: Task[] = []
  const money: MoneyInput[] = []
  const changed: { line: number; reason: string }[] = []
  const paidBefore: { line: number; reason: string }[] = []
  const duplicates: { line: number; first: number }[] = []
  const firstWith = new Map<string, number>()
  const ids = lines.map(({ request }) => request.idPayout)
  const gone = results.withoutLine(new Set(ids))
  const goneIds = [...gone.values()].flat()
  for (const { line, request } of lines) {
    const { idPayout } = request
    const record = recordOf(line, request, results.salt)
    const content = contentOf(record)
    const first = firstWith.get(content)
    if (first === undefined) firstWith.set(content, line)
    else duplicates.push({ line, first })
    const known = results.known.get(idPayout)
    // The same was sent under an id that is in the file no more. Each such id stands for one line.
    const before = known === undefined ? gone.get(content)?.shift() : undefined
    if (before !== undefined) paidBefore.push({ line, reason: wasPaid(before) })
    const differs = known && difference(record, known.record)
    const next = nextStep(results.stateOf(idPayout), differs !== undefined, options)
    if (next === 'stop') changed.push({ line, reason: hasChanged(differs) })
    else if (next !== 'leave') {
      tasks.push({ ...taskOf(idPayout, known), request, record })
      money.push(request.paymentRequested.money)
    }
  }
  for (const idPayout of goneIds) {
    const known = results.known.get(idPayout)
    if (known?.state !== 'accepted') continue
    tasks.push(taskOf(idPayout, known))
    money.push(known.record)
  }
  if (changed.length > 0) {
    const has = changed.length === 1 ? 'has' : 'have'
    const which = `${countOf(changed.length, 'line')} ${has} changed since it was sent`
    throw new WrongLines(`${which}; nothing was sent now.`, changed)
  }
  if (paidBefore.length > 0 && options.payAgain !== true) {
    throw new WrongLines(
      `${countOf(paidBefore.length, 'line')} of the file would be paid a second time; nothing was sent now. Put the file with its ids back, or give --pay-again if you mean second payouts.`,
      paidBefore,
    )
  }
  const totals = totalsOf(money)
  return { lines, tasks, totals, ids: [...ids, ...goneIds], withoutLine: goneIds.length, duplicates }
}

function hasChanged(differs = 'line'): string {
  return `its payout was sent before with another ${differs} under the same idPayout; put the line back as it was, or give it a new id if you mean a second payout.`
}

function wasPaid(before: string): string {
  return `the same money was sent to the same account under the idPayout ${before}, which is in the file no more.`
}

function taskOf(idPayout: string, known: Known | undefined): Task {
  const task = { idPayout, dueMs: 0, isOpen: true }
  if (known === undefined || !mayBeSent(known.state))
    return { ...task, starts: 0, state: undefined, isNoted: false }
  const { state, sentAt } = known
  return {
    ...task,
    starts: 1,
    isNoted: true,
    // A person has looked at one to review, and says that it is this line's.
    sentBefore: state === 'review' ? undefined : sentAt,
    state: state === 'accepted' ? { v: 1, step: 'follow', sent: 'accepted', starts: 1, tries: 0 } : undefined,
  }
}
