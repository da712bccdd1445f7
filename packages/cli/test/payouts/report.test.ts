import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvReport, jsonReport, type ReportLine } from '../../src/payouts/report.js'

const textOf = (pieces: Iterable<string>) => [...pieces].join('')

const formulas = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  'a;=1+1',
  'a,=1+1',
  'a";"=1+1',
  'a, ; =1',
  '\t=1',
  'x\r\n=1',
]

test.each([',', ';', '\t'])(
  'no cell is a formula for a program set to any separator; written with %j',
  (delimiter) => {
    const lines = formulas.map(
      (reason): ReportLine => ({ idPayout: reason, state: 'refused', status: reason, reason }),
    )
    const csv = textOf(csvReport(lines, { delimiter, decimalComma: true }))
    for (const one of [',', ';', '\t']) {
      const cells = parse(csv, { delimiter: one, relax_quotes: true, relax_column_count: true }).flat()
      const plain = csv.split(/[\r\n]/).flatMap((line) => line.split(one))
      for (const cell of [...cells, ...plain]) expect(cell).not.toMatch(/^["\s]*[=+@-]/)
    }
  },
)

test('what does not show is written out, and JSON stays the same JSON', () => {
  const line: ReportLine = { idPayout: 'w-1', state: 'refused', reason: 'a\u202eb\u001b[2J' }
  const [csv, json] = [
    textOf(csvReport([line], { delimiter: ',', decimalComma: false })),
    textOf(jsonReport([line])),
  ]
  for (const text of [csv, json]) expect(text).not.toMatch(/\u202e|\u001b/)
  expect(JSON.parse(json)).toEqual([line])
})

test('amounts have the decimal sign of the file, and JSON a point', () => {
  const line: ReportLine = { idPayout: 'w-1', state: 'paid', amount: '10.50', fee: '1.25' }
  expect(textOf(csvReport([line], { delimiter: ';', decimalComma: true }))).toContain(
    'w-1;10,50;;paid;;;1,25;',
  )
  expect(JSON.parse(textOf(jsonReport([line])))).toEqual([line])
})
