import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPayoutFile } from 'merchant-gateway-cli'
import { afterAll, describe, expect, test } from 'vitest'
import { damageIn, type FieldKind, isWrongIban } from '../../src/files/damage.js'

const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-damage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fixture = join(import.meta.dirname, 'spreadsheet.csv')

test('what a spreadsheet has done to a file is refused by line and reason, and what it left alone is not', async () => {
  const { problems, payouts, problemCount } = await checkPayoutFile(fixture)
  expect(JSON.stringify(problems)).not.toMatch(/Jana|Petr|000123|1234567890|GB33/)
  const account = 'accountNumber (column F)'
  expect(problems.map(({ line, reason }) => [line, reason.replace(/;.*/, '')])).toEqual([
    ...[2, 3, 4].map((line) => [line, `${account} is a number in scientific notation`]),
    [5, `${account} is a number with decimals or thousands`],
    [6, `${account} is what a spreadsheet shows in a narrow column`],
    [7, `${account} is an error of a spreadsheet`],
    [8, `${account} is an error of a spreadsheet`],
    [9, `${account} is a date`],
    [10, `${account} is a formula`],
    [11, `${account} begins with a quote`],
    [12, `${account} is what a program writes for a missing value`],
    [13, `${account} is what a program writes for a missing value`],
    [14, `${account} holds a character that nobody can see`],
    [15, `${account} holds a character that nobody can see`],
    [16, 'accountName (column E) is an error of a spreadsheet'],
    [17, 'idPayout (column A) is a number in scientific notation'],
    [18, 'accountName (column E) holds a character that was lost in an encoding (U+FFFD)'],
    [19, `${account} has the form of an IBAN and wrong check digits`],
  ])
  expect([payouts, problemCount]).toEqual([2, 18])
  expect(readFileSync(fixture, 'utf8')).toContain(
    's19,10.00,EUR,BANK_TRANSFER,Jana Example,000123-0123456789',
  )
})

test('an IBAN with wrong check digits is taken where that is said', async () => {
  const path = join(folder, 'ibans.csv')
  const header = 'idPayout,amount,currencyCode,paymentMethodCode,accountNumber'
  writeFileSync(path, `${header}\nw-1,1,EUR,BANK_TRANSFER,GB33BUKB20201555555556\n`)
  expect((await checkPayoutFile(path)).problems[0]?.reason).toContain('--no-check-ibans (checkIbans: false')
  expect(await checkPayoutFile(path, { checkIbans: false })).toMatchObject({ payouts: 1, problemCount: 0 })
})

test('a request of an NDJSON file is checked like a line of a table', async () => {
  const path = join(folder, 'damaged.ndjson')
  const request = {
    idPayout: 'w-1',
    paymentRequested: { money: { amount: '1', currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1.23457e+15' } },
  }
  writeFileSync(path, `${JSON.stringify(request)}\n`)
  expect((await checkPayoutFile(path)).problems).toEqual([
    {
      line: 1,
      reason: expect.stringMatching(/^paymentMethod\.account\.accountNumber is a number in scient/),
    },
  ])
})

/** Of an amount in EUR: the reasons against it as it stands, and where decimal commas are expected. */
const [plain, alone, comma, noPoint] = [
  'must be a number or a plain decimal string such as "10.50"',
  'in digits and a point alone: no thousands, no currency and no other sign',
  'with a point and no commas, or give --decimal-comma (decimalComma in code)',
  'must be written like 10,50, with no point and no blank',
]
const again = '; export the file again, and the amounts in digits and a point alone'

describe('an amount of a table', () => {
  test.each<[string, reason: string | undefined, withComma: string | undefined]>([
    ['10.50', undefined, noPoint],
    ['10.5', undefined, noPoint],
    ['1234', undefined, undefined],
    ['100.0', undefined, noPoint],
    ['10,50', `${plain}, ${comma}`, undefined],
    ['1,234', `${plain}, ${comma}`, 'has 3 decimals, but EUR has 2; round it first'],
    ['1.234', 'has 3 decimals, but EUR has 2; round it first', noPoint],
    ['1.234,50', `${plain}, ${comma}`, noPoint],
    ['1,234.50', `${plain}, ${alone}`, noPoint],
    ['1 234.50', `${plain}, ${alone}`, noPoint],
    ["1'234.50", `${plain}, ${alone}`, noPoint],
    ['1’234.50', `${plain}, ${alone}`, noPoint],
    ['1\u00a0234.50', `holds a character that nobody can see${again}`, noPoint],
    ['1\u202f234,50', `holds a character that nobody can see${again}`, noPoint],
    ['(10.50)', `${plain}, ${alone}`, noPoint],
    ['10.50-', `${plain}, ${alone}`, noPoint],
    ['-10.50', `${plain}, ${alone}`, noPoint],
    ['\u221210.50', `${plain}, ${alone}`, noPoint],
    ['€10.50', `${plain}, ${alone}`, noPoint],
    ['10.50 EUR', `${plain}, ${alone}`, noPoint],
    ['$1,000.00', `${plain}, ${alone}`, noPoint],
    ['10.50%', `${plain}, ${alone}`, noPoint],
    ['.5', plain, noPoint],
    ['010.50', plain, noPoint],
    ['\u0661\u0660', `${plain}, ${alone}`, noPoint],
    ['1E+05', `is a number in scientific notation${again}`, noPoint],
    ['#VALUE!', `is an error of a spreadsheet${again}`, noPoint],
    ['=10+2', `is a formula${again}`, noPoint],
    ["'10.50", `begins with a quote${again}`, noPoint],
    ['12-Mar', `is a date${again}`, noPoint],
    ['NULL', `is what a program writes for a missing value${again}`, noPoint],
  ])('%j', async (amount, reason, withComma) => {
    const path = join(folder, 'amounts.csv')
    writeFileSync(
      path,
      `idPayout;amount;currencyCode;paymentMethodCode;accountNumber\nw-1;${amount};EUR;X;1\n`,
    )
    for (const [decimalComma, why] of [
      [false, reason],
      [true, withComma],
    ] as const) {
      const file = await checkPayoutFile(path, { decimalComma })
      if (why === undefined) {
        const [line] = file.lines()
        expect(Number(line?.request.paymentRequested.money.amount)).toBe(Number(amount.replace(',', '.')))
      } else expect(file.problems).toEqual([{ line: 2, reason: `amount (column B) ${why}.` }])
    }
  })
})

const [error, missing, formula, date, hidden, encoding] = [
  'is an error of a spreadsheet',
  'is what a program writes for a missing value',
  'is a formula',
  'is a date',
  'holds a character that nobody can see',
  'holds letters that were read in the wrong encoding',
]
const decimals = 'is a number with decimals or thousands'
const html = 'holds a sign as HTML writes it (&…;)'

describe('what is certainly damaged', () => {
  test.each<[FieldKind, string, string | undefined]>([
    ['id', '100.0', 'is a number with a decimal'],
    ['account', '1234567890,00', decimals],
    ['account', '1,234,567,890', decimals],
    ['account', '1.234.567,00', decimals],
    ['id', '#BEZUG!', error],
    ['account', '12. Mär', date],
    ['account', 'Mar-26', date],
    ['account', '12.03.2026', date],
    ['account', '2026-03-12 00:00:00', date],
    ['account', '3/12/26', date],
    ['name', '=A1', formula],
    ['account', '"000123"', 'begins with a quote'],
    ['id', 'undefined', missing],
    ['other', 'None', missing],
    ['name', '[object Object]', missing],
    ['account', '000\u00a0123', hidden],
    ['name', 'Jana\u202eExample', hidden],
    ['name', 'MÃ¼ller', encoding],
    ['name', 'JiÅ™Ã\u00adk', hidden],
    ['name', 'JiÅ™ina', encoding],
    ['name', 'Ð˜Ð²Ð°Ð½', encoding],
    ['name', 'Smith &amp; Co', html],
    ['name', 'M&uuml;ller', html],
    ['name', 'NovĂˇk', encoding],
    ['name', 'PavlĹŻv DvĹ™r', encoding],
    ['name', 'РџРµС‚СЂ', encoding],
    ['name', 'Nov?k', 'holds a question mark for a letter that was lost in an encoding'],
    ['name', '?????', 'holds a question mark for a letter that was lost in an encoding'],
    ['account', '12. Mrz', date],
    ['account', '01.Mrz', date],
    ['account', '00:12:03', 'is a time'],
    ['account', 'Err:502', error],
    ['account', '#GETTING_DATA', error],
    ['account', '?????', 'has neither a letter nor a digit'],
    ['account', '--', 'has neither a letter nor a digit'],
    ['account', '1234567890.000', decimals],
    ['account', '12-Mar ', date],
    ['account', '\\N', missing],
    ['account', 'Infinity', missing],
    ['account', '0', 'is what a spreadsheet makes of an empty cell'],
    ['other', '0300.0', 'is a number with a decimal'],
  ])('as %s: %s', (kind, text, what) => {
    expect(damageIn(text, kind)).toBe(what)
  })

  test.each<[FieldKind, string]>([
    ['account', '000123-0123456789'],
    ['account', '19-2000145399/0800'],
    ['account', 'GB33 BUKB 2020 1555 5555 55'],
    ['account', '12-34-56 12345678'],
    ['account', '12.34.56.789'],
    ['account', '+420601123456'],
    ['account', '$jana'],
    ['account', 'jana@example.com'],
    ['account', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['id', '12-Mar'],
    ['id', '2026-03-12'],
    ['id', '1E5'],
    ['id', '1.2.3'],
    ['id', '#1042'],
    ['name', 'Jennifer Null'],
    ['name', 'Null'],
    ['name', "'t Hooft"],
    ['name', 'RENÉ’S & SØNNER, A/S'],
    ['name', 'JOÃO SEPPÄ'],
    ['name', 'نیما\u200cزاده'],
    ['name', 'April'],
    ['name', 'What? Who? & Co'],
    ['name', 'СЕРГЕЙ ПЁТР'],
    ['name', 'ĂNCUŢA „LUNĂ”'],
    ['account', '12:34:56-7'],
    ['other', 'BANK_TRANSFER'],
  ])('is not %s: %s', (kind, text) => {
    expect(damageIn(text, kind)).toBeUndefined()
  })
})

test.each([
  ['GB33BUKB20201555555555', false],
  ['GB33 BUKB 2020 1555 5555 55', false],
  ['gb33bukb20201555555555', false],
  ['CZ6508000000192000145399', false],
  ['GB33BUKB20201555555556', true],
  ['GB34BUKB20201555555555', true],
  ['CZ6508000000192000145398', true],
  ['000123-0123456789', false],
  ['AB12', false],
])('check digits of %s are wrong: %s', (account, isWrong) => {
  expect(isWrongIban(account)).toBe(isWrong)
})
