import { createInterface } from 'node:readline/promises'
import { Presets, SingleBar } from 'cli-progress'
import { CommandFailed } from './exit-codes.js'
import type { Io } from './io.js'
import { spanOf } from './text.js'

/** What is asked of a person, and what is said when nobody said yes. */
export interface YesQuestion {
  readonly question: string
  /** Where nobody can be asked. */
  readonly nobody: string
  /** After every other answer. */
  readonly no: string
}

/**
 * Asks whether to go on, and does so for a yes only.
 *
 * @param yes whether it was said on the line of arguments.
 * @throws {CommandFailed} for every other answer, and where nobody can be asked.
 */
export async function confirm({ question, nobody, no }: YesQuestion, yes: boolean, io: Io): Promise<void> {
  if (yes) return
  if (!io.isInteractive) throw new CommandFailed(nobody)
  // Not in raw mode, so that Ctrl-C ends the program as it does everywhere.
  const lines = createInterface({ input: io.input, output: process.stderr, terminal: false })
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(`${question} [y/N] `).then(resolve, () => resolve(''))
  })
  lines.close()
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new CommandFailed(no)
}

/** How far some work is. */
export interface Step {
  /** What is being done: `sending`. */
  readonly doing: string
  readonly done: number
  readonly total: number
  /** What else is to be seen: `2 refused`. */
  readonly besides: string
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

export interface Progress {
  show(step: Step): void
  end(): void
}

/** A bar in a terminal, and nothing elsewhere. Left as it was when the process ends, however it does. */
export function progressOn(io: Io): Progress {
  if (!io.isInteractive) return { show: () => {}, end: () => {} }
  let shown: { readonly bar: SingleBar; readonly doing: string; readonly forget: () => void } | undefined
  const end = () => {
    shown?.bar.stop()
    shown?.forget()
    shown = undefined
  }
  return {
    show({ besides, done, total, doing }) {
      if (doing !== shown?.doing) {
        end()
        const bar = new SingleBar(options, Presets.shades_classic)
        bar.start(total, done, { doing, besides: '' })
        shown = { bar, doing, forget: io.onExit(() => bar.stop()) }
      }
      shown?.bar.update(done, { besides: besides === '' ? '' : `, ${besides}` })
    },
    end,
  }
}
