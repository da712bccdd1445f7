import { type GenericFormatter, SingleBar } from 'cli-progress'
import type { Io } from '../io.js'
import { spanOf } from '../text.js'
import { type Counts, ended, textOfCounts, total } from './counts.js'

/** How far a run of payouts is. */
export interface Step {
  /** What is being done: `sending`. */
  readonly doing: string
  readonly done: number
  readonly total: number
  /** What else is to be seen: `2 refused`. */
  readonly besides: string
}

/** @param follow whether a payout that was accepted is followed until it is final. */
export function stepOf(counts: Counts, follow: boolean): Step {
  const left = counts.waiting + counts.unknown
  const doing = left > 0 || !follow ? 'sending' : 'following'
  const done = doing === 'sending' ? total(counts) - left : ended(counts)
  return {
    doing,
    done,
    total: total(counts),
    besides: textOfCounts(counts, ['failed', 'refused', 'look', 'conflict']),
  }
}

export interface Progress {
  show(step: Step): void
  end(): void
}

const windowMs = 15_000

/** A bar in a terminal, and nothing elsewhere. Left as it was when the process ends, however it does. */
export function progressOn(io: Io): Progress {
  if (!io.isInteractive) return { show: () => {}, end: () => {} }
  let bar: SingleBar | undefined
  let forget = () => {}
  let doing: string | undefined
  const pace = new Pace()
  const end = () => {
    bar?.stop()
    bar = undefined
    forget()
  }
  return {
    show(step) {
      if (step.doing !== doing) {
        end()
        pace.restart()
        doing = step.doing
        bar = new SingleBar({ format: lineOf, fps: 5, hideCursor: true })
        bar.start(step.total, step.done, { doing, pace: '', besides: '' })
        forget = io.onExit(() => bar?.stop())
      }
      const besides = step.besides === '' ? '' : `, ${step.besides}`
      bar?.update(step.done, { pace: pace.text(step, performance.now()), besides })
    },
    end,
  }
}

const longestBar = 24
const shortestBar = 5

/** A line of the terminal; where it is too long, first the bar gets shorter and goes, and then its end is cut. */
export const lineOf: GenericFormatter = (_, { progress, value, total, maxWidth }, payload) => {
  const doing = String(payload.doing)
  const rest = `${value}/${total}${payload.pace}${payload.besides}`
  const room = Math.min(longestBar, maxWidth - 1 - doing.length - rest.length - 2)
  const full = Math.round(progress * room)
  const bar = room < shortestBar ? '' : `${'\u2588'.repeat(full)}${'\u2591'.repeat(room - full)} `
  return `${doing} ${bar}${rest}`.slice(0, maxWidth - 1)
}

/** The rate of the last seconds, and what it makes of the rest. */
export class Pace {
  #seen: { readonly atMs: number; readonly done: number }[] = []

  restart(): void {
    this.#seen = []
  }

  /** @returns `, 9.8/s, 2 min 10 s left`; nothing while nobody can tell. */
  text({ done, total }: Pick<Step, 'done' | 'total'>, nowMs: number): string {
    const last = this.#seen.at(-1)
    if (last === undefined || nowMs - last.atMs >= 200) this.#seen.push({ atMs: nowMs, done })
    while (this.#seen.length > 2 && nowMs - (this.#seen[0]?.atMs ?? nowMs) > windowMs) this.#seen.shift()
    const [first] = this.#seen
    if (first === undefined || nowMs - first.atMs < 1000 || done === first.done) return ''
    const perSecond = ((done - first.done) * 1000) / (nowMs - first.atMs)
    return `, ${perSecond.toFixed(1)}/s, ${spanOf(((total - done) / perSecond) * 1000)} left`
  }
}
