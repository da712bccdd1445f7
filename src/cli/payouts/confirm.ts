import { confirm as askForYes } from '../confirm.js'
import type { Io } from '../io.js'

/**
 * Asks whether money is to be sent, and goes on for a yes only.
 *
 * @throws {CommandFailed} for every other answer, and where nobody can be asked.
 */
export function confirm(question: string, yes: boolean, io: Io): Promise<void> {
  const nobody =
    'nobody can be asked here whether these payouts are to be sent, so nothing was sent; give --yes to send them without a question.'
  return askForYes({ question, nobody, no: 'nothing was sent.' }, yes, io)
}
