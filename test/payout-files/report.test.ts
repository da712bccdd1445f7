import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvReport, jsonReport, type ReportLine } from '../../src/payout-files/report.js'

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

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
  async (delimiter) => {
    const lines = formulas.map(
      (reason): ReportLine => ({ idPayout: reason, state: 'refused', status: reason, reason }),
    )
    const csv = await textOf(csvReport(lines, { delimiter, decimalComma: true }))
    for (const one of [',', ';', '\t']) {
      const cells = parse(csv, { delimiter: one, relax_quotes: true, relax_column_count: true }).flat()
      const plain = csv.split(/[\r\n]/).flatMap((line) => line.split(one))
      for (const cell of [...cells, ...plain]) expect(cell).not.toMatch(/^["\s]*[=+@-]/)
    }
  },
)

test('what does not show is written out, and JSON stays the same JSON', async () => {
  const line: ReportLine = { idPayout: 'w-1', state: 'refused', reason: 'a\u202eb\u001b[2J' }
  const [csv, json] = [
    await textOf(csvReport([line], { delimiter: ',', decimalComma: false })),
    await textOf(jsonReport([line])),
  ]
  for (const text of [csv, json]) expect(text).not.toMatch(/\u202e|\u001b/)
  expect(JSON.parse(json)).toEqual([line])
})

test('amounts have the decimal sign of the file, and JSON a point', async () => {
  const line: ReportLine = { idPayout: 'w-1', state: 'paid', amount: '10.50', fee: '1.25' }
  expect(await textOf(csvReport([line], { delimiter: ';', decimalComma: true }))).toContain(
    'w-1;10,50;;paid;;;1,25;',
  )
  expect(JSON.parse(await textOf(jsonReport([line])))).toEqual([line])
})
