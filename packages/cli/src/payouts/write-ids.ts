import { randomUUID } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { CommandFailed } from '../exit-codes.js'
import { columnsOf } from '../files/fields.js'
import type { PayoutFileFormat } from '../files/payout-file.js'
import { cellsOf, delimiterOf } from '../files/table.js'
import { writeInOnePiece } from '../files.js'
import { isObject, jsonOf } from '../input/values.js'

/** The text of a checked file with an id in every payout that has none, and all else as it is. */
export function withIds(bytes: Buffer, format: PayoutFileFormat): string {
  const lines = bytes.toString('utf8').split('\n')
  return (format === 'csv' ? csvWithIds(lines) : lines.map(jsonWithId)).join('\n')
}

/** Puts the text in the place of the file: what a link leads to is replaced, and not the link. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path)
  const { mode, nlink } = statSync(target)
  // The other name would keep a file without ids, and a run by that name would pay everybody again.
  if (nlink > 1) {
    throw new CommandFailed(
      `${path} has ${nlink} names (hard links), and the ids would be under one of them; copy it to a file of its own, and send that; nothing was sent.`,
    )
  }
  writeInOnePiece(target, text, mode)
}

function csvWithIds(lines: readonly string[]): string[] {
  let delimiter: string | undefined
  let idColumn = -1
  return lines.map((line) => {
    const [, mark = '', text = '', end = ''] = /^(\ufeff?)(.*?)(\r?)$/s.exec(line) ?? []
    if (text.trim() === '') return line
    if (delimiter === undefined) {
      delimiter = delimiterOf(text)
      idColumn = columnsOf(cellsOf(text, delimiter)).indexOf('idPayout')
      return mark + (idColumn < 0 ? `idPayout${delimiter}${text}` : text) + end
    }
    const found = cellsOf(text, delimiter)
    if (found.every((cell) => cell === '')) return (idColumn < 0 ? delimiter : '') + line
    if (idColumn < 0) return randomUUID() + delimiter + line
    if (found[idColumn] !== '') return line
    found[idColumn] = randomUUID()
    return stringify([found], { delimiter, record_delimiter: '' }) + end
  })
}

function jsonWithId(line: string): string {
  const request = jsonOf(line.replace('\ufeff', ''))
  if (!isObject(request) || Object.hasOwn(request, 'idPayout')) return line
  // Into the text as it stands: an amount that is written 10.50 stays written like that.
  return line.replace('{', `{"idPayout":"${randomUUID()}",`)
}
