import { CsvError, parse } from 'csv-parse/sync'
import { WrongLine } from './lines.js'

/** What may stand between the cells: Excel writes semicolons where a comma is the decimal sign. */
const delimiters = [',', ';', '\t'] as const

/**
 * Reads the lines of a CSV file. A row is one line: a line break in quotes is refused, so that one quote too many spoils
 * its own line and no other.
 *
 * @param readHeader takes the names of the columns, and returns what reads the rows below.
 */
export function tableReader<T>(
  readHeader: (names: readonly string[]) => (cells: readonly string[]) => T | undefined,
): (text: string) => T | undefined {
  let delimiter: string | undefined
  let readRow: ReturnType<typeof readHeader> | undefined
  return (text) => {
    delimiter ??= delimiterOf(text)
    const cells = cellsOf(text, delimiter)
    if (readRow !== undefined) return readRow(cells)
    readRow = readHeader(cells)
    return undefined
  }
}

/** The sign between the cells: the one that the header has most of. */
export function delimiterOf(header: string): string {
  const counts = delimiters.map((one) => header.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The cells of a line, without the blanks around them. */
export function cellsOf(text: string, delimiter: string): string[] {
  // Nearly all lines, and 40 times as fast.
  if (!text.includes('"')) return text.split(delimiter).map((cell) => cell.trim())
  try {
    const [cells = []] = parse(text, { delimiter, trim: true, columns: false })
    return cells.map((cell) => cell.trim())
  } catch (error) {
    // Its own sentences repeat what stands in the cell.
    if (!(error instanceof CsvError)) throw error
    throw new WrongLine(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'a quote is opened and not closed on the same line.'
        : 'a quote stands in the middle of a cell; write it twice, and the whole cell in quotes.',
    )
  }
}
