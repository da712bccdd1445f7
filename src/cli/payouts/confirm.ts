import { createInterface } from 'node:readline/promises'
import { CommandFailed } from '../exit-codes.js'
import type { Io } from '../io.js'

/**
 * Asks whether money is to be sent, and goes on for a yes only.
 *
 * @throws {CommandFailed} for every other answer, and where nobody can be asked.
 */
export async function confirm(question: string, yes: boolean, io: Io): Promise<void> {
  if (yes) return
  if (!io.isInteractive) {
    throw new CommandFailed(
      'nobody can be asked here whether these payouts are to be sent, so nothing was sent; give --yes to send them without a question.',
    )
  }
  // Not in raw mode, so that Ctrl-C ends the program as it does everywhere.
  const lines = createInterface({ input: io.input, output: process.stderr, terminal: false })
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(`${question} [y/N] `).then(resolve, () => resolve(''))
  })
  lines.close()
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new CommandFailed('nothing was sent.')
}
