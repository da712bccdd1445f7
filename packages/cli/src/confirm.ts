import { createInterface } from 'node:readline/promises'
import { CommandFailed } from './exit-codes.js'
import type { Io } from './io.js'

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
