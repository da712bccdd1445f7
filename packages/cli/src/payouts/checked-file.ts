import { statSync } from 'node:fs'
import { readRegularFile, refuseUnlessRegular } from '../../../../src/client/input/regular-file.js'
import { isGatewayError } from '../../../../src/index.js'
import { CommandFailed, mostShown, WrongLines } from '../exit-codes.js'
import { delimiterOf } from '../files/csv.js'
import {
  checkPayoutFile,
  type PayoutFile,
  type PayoutFileFormat,
  type SendableLine,
} from '../files/payout-file.js'
import { fileProblem } from '../files.js'
import { countOf } from '../text.js'
import type { TableStyle } from './report.js'
import { writeIds } from './write-ids.js'

export interface FileOptions {
  readonly format?: PayoutFileFormat
  readonly decimalComma?: true
  readonly writeIds?: true
}

/**
 * The payouts of a file that can be sent.
 *
 * @param plan says what is to be done with them; asked before ids are written, too.
 * @throws {WrongLines} when a line is wrong; {CommandFailed} when payouts have no ids, or it can't be read.
 */
export async function checkedLines<T>(
  path: string,
  options: FileOptions,
  plan: (lines: readonly SendableLine[]) => T,
): Promise<T> {
  const file = await check(path, options)
  if (file.problemCount > 0) {
    const more = file.problemCount > mostShown ? `, of which the first ${mostShown} are shown` : ''
    throw new WrongLines(
      `${countOf(file.problemCount, 'line')} of ${path} can't be sent${more}; nothing was sent.`,
      file.problems,
    )
  }
  if (file.payouts === 0) throw new CommandFailed(`${path} holds no payouts; nothing was sent.`)
  if (file.withoutId === 0) return plan(await linesOfFile(file))
  if (options.writeIds !== true) {
    throw new CommandFailed(
      `${countOf(file.withoutId, 'payout')} of ${path} ${file.withoutId === 1 ? 'has' : 'have'} no idPayout, and a run after a crash would pay twice; give --write-ids to put ids into the file, and nothing was sent.`,
    )
  }
  await writeIds(path, file.format, readRegularFile(path), async (temporary) => {
    plan(await linesOfFile(await check(temporary, { ...options, format: file.format })))
  })
  const { writeIds: _, ...written } = options
  return checkedLines(path, written, plan)
}

/**
 * Refuses what is no file of payouts before anything is made beside it. A name without an end that says the
 * format is not repeated: something else may have slipped into its place.
 */
export function refuseUnlessFile(path: string, format: PayoutFileFormat | undefined): void {
  if (!/\.(?:csv|ndjson|jsonl)$/i.test(path) && format === undefined) {
    throw new CommandFailed(
      'the name of the FILE ends neither in .csv nor in .ndjson or .jsonl, so give --format; nothing was sent.',
    )
  }
  try {
    refuseUnlessRegular(statSync(path))
  } catch (error) {
    throw new CommandFailed(`${shownPath(path)} ${fileProblem(error)}; nothing was sent.`)
  }
}

/** Something else than a path may have slipped into its place. */
function shownPath(path: string): string {
  return /^[^\r\n]{0,1000}\.[a-z]{1,8}$/i.test(path) ? path : 'the FILE that is named there'
}

/** Everything about a file, whether it can be sent or not. */
export async function check(path: string, { format, decimalComma }: FileOptions): Promise<PayoutFile> {
  try {
    return await checkPayoutFile(path, { format, decimalComma })
  } catch (error) {
    if (isGatewayError(error))
      throw new CommandFailed(error.message.replace('so give its format', 'so give --format'))
    throw new CommandFailed(`${shownPath(path)} ${fileProblem(error)}; nothing was sent.`)
  }
}

/** Its payouts, in memory: what is sent is what was checked, whatever happens to the file meanwhile. */
export async function linesOfFile(file: PayoutFile): Promise<SendableLine[]> {
  const lines: SendableLine[] = []
  for await (const line of file.lines()) lines.push(line)
  return lines
}

/** How the file's own table is written; what is no table gets commas. */
export function styleOf(path: string, { decimalComma }: FileOptions): TableStyle {
  let head = ''
  try {
    ;[head = ''] = readRegularFile(path).split('\n', 1)
  } catch {
    // It is gone, and its results are here.
  }
  return { delimiter: /^\s*\{/.test(head) ? ',' : delimiterOf(head), decimalComma: decimalComma === true }
}
