import { CommandFailed, exitCodes, mostShown } from '../exit-codes.js'
import {
  checkPayouts,
  formatOf,
  type PayoutFile,
  type PayoutFileOptions,
  type SendableLine,
} from '../files/payout-file.js'
import { readRegularFile, withFile } from '../files.js'
import { countOf } from '../text.js'
import type { Plan } from './plan.js'
import { notSent } from './results.js'
import { replaceFile, withIds } from './write-ids.js'

export interface FileOptions extends Readonly<PayoutFileOptions> {
  readonly writeIds?: true
}

/**
 * What is to be done with the payouts of a file that can be sent, once each of them has an id in it.
 *
 * @param planOf asked before ids are written: it stops a file that was sent under other ids.
 * @throws when a line is wrong, when payouts have no ids, or it can't be read or written ({@link CommandFailed}).
 */
export async function plannedFile(
  path: string,
  options: FileOptions,
  planOf: (lines: readonly SendableLine[]) => Plan,
): Promise<Plan> {
  const file = await check(path, options)
  if (file.problemCount > 0) {
    const more = file.problemCount > mostShown ? `, of which the first ${mostShown} are shown` : ''
    throw new CommandFailed(
      `${countOf(file.problemCount, 'line')} of ${path} can't be sent${more}; nothing was sent.`,
      exitCodes.usage,
      file.problems,
    )
  }
  if (file.payouts === 0) throw new CommandFailed(`${path} holds no payouts; nothing was sent.`)
  if (file.withoutId === 0) return planOf(file.lines())
  if (options.writeIds !== true) {
    throw new CommandFailed(
      `${countOf(file.withoutId, 'payout')} of ${path} ${file.withoutId === 1 ? 'has' : 'have'} no idPayout, and a run after a crash would pay twice; nothing was sent; give --write-ids to put ids into the file.`,
    )
  }
  const format = formatOf(path)
  const written = withIds(file.bytes, format)
  const plan = planOf((await checkPayouts(Buffer.from(written), format, options)).lines())
  withFile(path, () => replaceFile(path, written), ', so no ids were written; nothing was sent')
  return plan
}

/** Everything about a file, whether it can be sent or not. */
export async function check(
  path: string,
  options: FileOptions,
): Promise<PayoutFile & { readonly bytes: Buffer }> {
  // Something else than a path may have slipped into its place.
  const shown = /^[^\r\n]{0,1000}\.[a-z]{1,8}$/i.test(path) ? path : 'the FILE that is named there'
  const bytes = withFile(shown, () => readRegularFile(path), notSent)
  return { ...(await checkPayouts(bytes, formatOf(path), options)), bytes }
}
