import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import { isGatewayError } from 'merchant-gateway'
import { CommandFailed } from '../exit-codes.js'
import { columnsOf } from '../files/columns.js'
import { cellsOf, delimiterOf } from '../files/csv.js'
import type { PayoutFileFormat } from '../files/payout-file.js'
import { fileProblem, readRegularFile } from '../files.js'
import { isObject, jsonOf } from '../input/values.js'
import { syncFolder } from './results-file.js'

/**
 * Puts an id into every payout of a checked file that has none, and leaves all else as it is. The file is replaced by
 * a new one that is on the disk already: after a crash there is the old one or the new one.
 *
 * @param check reads the new file, before it takes the place of the old one.
 * @throws {CommandFailed} when the folder takes no new file; and what `check` throws.
 */
export async function writeIds(
  path: string,
  format: PayoutFileFormat,
  check: (temporary: string) => Promise<void>,
): Promise<void> {
  // What a link leads to is replaced, and not the link.
  const target = await realpath(path)
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    const lines = readRegularFile(target).toString('utf8').split('\n')
    const written = format === 'csv' ? csvWithIds(lines) : lines.map(jsonWithId)
    const old = await open(target, 'r')
    const { mode, nlink } = await old.stat().finally(() => old.close())
    // The other name would keep a file without ids, and a run by that name would pay everybody again.
    if (nlink > 1) {
      throw new CommandFailed(
        `${path} has ${nlink} names (hard links), and the ids would be under one of them; copy it to a file of its own, and send that; nothing was sent.`,
      )
    }
    const file = await open(temporary, 'wx', mode)
    await file
      .writeFile(written.join('\n'))
      .then(() => file.sync())
      .finally(() => file.close())
    await check(temporary)
    await rename(temporary, target)
    await syncFolder(target)
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof CommandFailed || isGatewayError(error)) throw error
    throw new CommandFailed(`${path} ${fileProblem(error)}, so no ids were written; nothing was sent.`)
  }
}

function csvWithIds(lines: readonly string[]): string[] {
  let delimiter: string | undefined
  let idColumn = -1
  return lines.map((line) => {
    const [, mark = '', text = '', end = ''] = /^(\ufeff?)(.*?)(\r?)$/s.exec(line) ?? []
    if (text.trim() === '') return line
    if (delimiter === undefined) {
      delimiter = delimiterOf(text)
      const header = columnsOf(cells(text, delimiter))
      idColumn = 'columns' in header ? header.columns.indexOf('idPayout') : -1
      return mark + (idColumn < 0 ? `idPayout${delimiter}${text}` : text) + end
    }
    const found = cells(text, delimiter)
    if (found.every((cell) => cell === '')) return (idColumn < 0 ? delimiter : '') + line
    if (idColumn < 0) return randomUUID() + delimiter + line
    if (found[idColumn] !== '') return line
    found[idColumn] = randomUUID()
    return stringify([found], { delimiter, record_delimiter: '' }) + end
  })
}

function cells(text: string, delimiter: string): string[] {
  const found = cellsOf(text, delimiter)
  if (typeof found === 'string')
    throw new CommandFailed('the file has changed while it was read; nothing was sent.')
  return found
}

function jsonWithId(line: string): string {
  const request = jsonOf(line.replace('\ufeff', ''))
  if (!isObject(request) || Object.hasOwn(request, 'idPayout')) return line
  // Into the text as it stands: an amount that is written 10.50 stays written like that.
  return line.replace('{', `{"idPayout":"${randomUUID()}",`)
}
