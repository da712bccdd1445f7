import type { PaymentJobState } from 'merchant-gateway/jobs'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { type CurrencyTotal, type PayoutRequest, type SendableLine, totalsOf } from '../files/payout-file.js'
import { countOf } from '../text.js'
import { nextStep, type PlanOptions } from './line.js'
import { contentOf, difference, recordOf } from './line-record.js'
import type { Known, LineRecord, Results } from './results.js'
import { type Counts, countsOf, mayBeSent } from './states.js'

export interface PayoutLine {
  readonly idPayout: string
  /** Absent when its line is in the file no more: then it is followed only. */
  readonly request?: PayoutRequest
  readonly record: LineRecord
}

/** The payouts of a file, in its order, and then those that may have been sent and are in the file no more. */
export function payoutLines(lines: readonly SendableLine[], { known, salt }: Results): PayoutLine[] {
  const ids = new Set(lines.map(({ request }) => request.idPayout))
  return [
    ...lines.map(({ line, request }) => {
      const { idPayout } = request
      return { idPayout, request, record: recordOf(line, request, salt) }
    }),
    ...[...known]
      .filter(([idPayout, { state }]) => !ids.has(idPayout) && mayBeSent(state))
      .map(([idPayout, { record }]) => ({ idPayout, record })),
  ]
}

export function countsIn(lines: readonly PayoutLine[], results: Results): Counts {
  return countsOf(lines.map(({ idPayout }) => results.stateOf(idPayout)))
}

export interface Task extends PayoutLine {
  /** When an earlier run was about to send it. */
  readonly sentBefore?: string | undefined
  /** How often a run of its job was started, by this process or an earlier one. */
  starts: number
  state: PaymentJobState | undefined
  /** Whether the results file says that it is about to be sent. */
  isNoted: boolean
  dueMs: number
  isOpen: boolean
}

/** What a run of a file has to do, after what earlier ones have done. */
export interface Plan {
  readonly lines: readonly PayoutLine[]
  readonly tasks: readonly Task[]
  /** The sums of what is to be sent or followed: what somebody has to say yes to. */
  readonly totals: readonly CurrencyTotal[]
  /** Lines that ask for the same money to the same account as a line before them. */
  readonly duplicates: readonly { readonly line: number; readonly first: number }[]
}

/**
 * @throws when a line asks for something else than it did when it was sent: the gateway never shows an
 * account, so nobody could tell later where the money went. And when it asks for what was sent under an id that is in
 * the file no more: a file without ids was put back ({@link CommandFailed}).
 */
export function planOf(lines: readonly PayoutLine[], results: Results, options: PlanOptions): Plan {
  const tasks: Task[] = []
  const changed: { line: number; reason: string }[] = []
  const paidBefore: { line: number; reason: string }[] = []
  const duplicates: { line: number; first: number }[] = []
  const firstWith = new Map<string, number>()
  const gone = idsByContent(lines.filter(({ request }) => request === undefined))
  for (const one of lines) {
    const { idPayout, request, record } = one
    const known = results.known.get(idPayout)
    const content = contentOf(record)
    const { line } = record
    if (request !== undefined) {
      const first = firstWith.get(content)
      if (first === undefined) firstWith.set(content, line)
      else duplicates.push({ line, first })
      // The same was sent under an id that is in the file no more. Each such id stands for one line.
      const before = known === undefined ? gone.get(content)?.shift() : undefined
      if (before !== undefined) paidBefore.push({ line, reason: wasPaid(before) })
    }
    const differs = known && difference(record, known.record)
    const next = nextStep(results.stateOf(idPayout), differs !== undefined, options)
    if (next === 'stop') changed.push({ line, reason: hasChanged(differs) })
    // Without its line nothing can be sent.
    else if (next === 'follow' || (next === 'send' && request !== undefined)) tasks.push(taskOf(one, known))
  }
  if (changed.length > 0) {
    const has = changed.length === 1 ? 'has' : 'have'
    const which = `${countOf(changed.length, 'line')} ${has} changed since it was sent`
    throw new CommandFailed(`${which}; nothing was sent now.`, exitCodes.usage, changed)
  }
  if (paidBefore.length > 0 && options.allowSecondPayout !== true) {
    throw new CommandFailed(
      `${countOf(paidBefore.length, 'line')} of the file would be paid a second time; nothing was sent now. Put the file with its ids back, or give --allow-second-payout if you mean second payouts.`,
      exitCodes.usage,
      paidBefore,
    )
  }
  return { lines, tasks, totals: totalsOf(tasks.map(({ record }) => record)), duplicates }
}

/** @param known what earlier runs have noted of it. */
function taskOf(payout: PayoutLine, known: Known | undefined): Task {
  const task = { ...payout, dueMs: 0, isOpen: true }
  if (known === undefined || !mayBeSent(known.state))
    return { ...task, starts: 0, state: undefined, isNoted: false }
  const { state, sentAt } = known
  return {
    ...task,
    starts: 1,
    isNoted: true,
    // A person has looked at one to review, and says that it is this line's.
    sentBefore: state === 'review' ? undefined : sentAt,
    state:
      state === 'accepted' ? { v: 1, step: 'follow', outcome: 'accepted', starts: 1, tries: 0 } : undefined,
  }
}

function idsByContent(lines: readonly PayoutLine[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { idPayout, record } of lines) {
    const content = contentOf(record)
    const others = found.get(content)
    if (others === undefined) found.set(content, [idPayout])
    else others.push(idPayout)
  }
  return found
}

function hasChanged(differs = 'line'): string {
  return `its payout was sent before with another ${differs} under the same idPayout; put the line back as it was, or give it a new id if you mean a second payout.`
}

function wasPaid(before: string): string {
  return `the same money was sent to the same account under the idPayout ${before}, which is in the file no more.`
}
