import { Presets, SingleBar } from 'cli-progress'
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

const updateMs = 200
/** What is left is reckoned from the last so many milliseconds. */
const windowMs = 15_000

/** What the bar is made of: the library disables the wrapping of lines, so a narrow terminal cuts the end. */
const options = {
  format: '{doing} {bar} {value}/{total}{besides}{eta_formatted}',
  formatTime: (secs: unknown) => (typeof secs === 'number' ? `, ${spanOf(secs * 1000)} left` : ''),
  etaBuffer: windowMs / updateMs,
  barsize: 24,
  fps: 1000 / updateMs,
  hideCursor: true,
}

/**
 * Shows in a terminal how far a run is, and nothing elsewhere. The terminal is left as it was when the process ends,
 * however it does.
 *
 * @returns how to end it, with the last step shown.
 */
export function showProgress(io: Io, step: () => Step): () => void {
  if (!io.isInteractive) return () => {}
  let bar: SingleBar | undefined
  let doing: string | undefined
  const show = () => {
    const { besides, done, total, ...now } = step()
    if (now.doing !== doing) {
      bar?.stop()
      doing = now.doing
      bar = new SingleBar(options, Presets.shades_classic)
      bar.start(total, done, { doing, besides: '' })
    }
    bar?.update(done, { besides: besides === '' ? '' : `, ${besides}` })
  }
  const ticking = setInterval(show, updateMs)
  const forget = io.onExit(() => bar?.stop())
  return () => {
    clearInterval(ticking)
    show()
    bar?.stop()
    forget()
  }
}
