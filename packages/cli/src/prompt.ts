import { createInterface } from 'node:readline/promises'
import { Presets, SingleBar } from 'cli-progress'
import { CommandFailed } from './exit-codes.js'
import type { Io } from './io.js'
import { spanOf } from './text.js'

const nothingSent = 'nothing was sent.'

/**
 * Asks whether to go on, and does so for a yes only. Who ends the program at the question reads that nothing was sent.
 *
 * @throws for every other response, and where nobody can be asked ({@link CommandFailed}).
 */
export async function confirm(question: string, io: Io): Promise<void> {
  if (!io.isInteractive) {
    throw new CommandFailed(
      'nobody can be asked here whether to go on, so nothing was sent; give --yes to skip the question.',
    )
  }
  // Not in raw mode, so that Ctrl-C ends the program as it does everywhere.
  const lines = createInterface({ input: io.input, output: process.stderr, terminal: false })
  const forget = io.onExit(() => process.stderr.write(`\n${nothingSent}\n`))
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(`${question} [y/N] `).then(resolve, () => resolve(''))
  })
  forget()
  lines.close()
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new CommandFailed(nothingSent)
}

export interface Step {
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
  formatTime: (secs: unknown) =>
    typeof secs === 'number' && secs > 0 ? `, ${spanOf(secs * 1000)} left` : '',
  etaBuffer: windowMs / updateMs,
  barsize: 24,
  fps: 1000 / updateMs,
  hideCursor: true,
}

/** A bar in a terminal, and nothing elsewhere. Left as it was when the process ends, however it does. */
export function progressOn(io: Io) {
  const bar = new SingleBar(options, Presets.shades_classic)
  const forget = io.onExit(() => bar.stop())
  let shown = ''
  return {
    show({ besides, done, total, doing }: Step): void {
      if (!io.isInteractive) return
      if (doing !== shown) {
        // The step before is done, and its last update may not be drawn yet.
        bar.update(bar.getTotal())
        bar.stop()
        bar.start(total, done, { doing, besides: '' })
        shown = doing
      }
      bar.update(done, { besides: besides === '' ? '' : `, ${besides}` })
    },
    end(): void {
      bar.stop()
      forget()
    },
  }
}
