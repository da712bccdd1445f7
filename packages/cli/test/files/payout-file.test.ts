import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPayoutFile } from 'merchant-gateway-cli'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-payout-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function fileOf(content: string | Uint8Array, name = 'payouts.csv'): string {
  const path = join(folder, `${files++}-${name}`)
  writeFileSync(path, content)
  return path
}

const check = (content: string | Uint8Array, name?: string) => checkPayoutFile(fileOf(content, name))

const header = 'idPayout,amount,currencyCode,paymentMethodCode,accountName,accountNumber'
const row = (id: string, amount = '10.50') =>
  `${id},${amount},EUR,BANK_TRANSFER,Jana Canary,000123-0123456789`

const janas = (idPayout: string, amount: number | string = '10.50') => ({
  idPayout,
  paymentRequested: { money: { amount, currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'Jana Canary', accountNumber: '000123-0123456789' },
  },
})

/** The reasons of a file, which show nothing of its customers. */
async function reasons(content: string | Uint8Array, name?: string): Promise<[number, string][]> {
  const { problems } = await check(content, name)
  expect(JSON.stringify(problems)).not.toMatch(/Jana|Canary|000123|0123456789/)
  return problems.map(({ line, reason }) => [line, reason])
}

describe('a CSV file', () => {
  test('is read line by line, with the names of its columns', async () => {
    const file = await check(`${header}\n${row('w-1')}\n${row('w-2', '7')}\n`)
    expect(file).toMatchObject({ payouts: 2, problemCount: 0, withoutId: 0 })
    expect(file.totals).toEqual([{ currencyCode: 'EUR', payouts: 2, amount: '17.50' }])
    expect(file.lines()).toEqual([
      { line: 2, request: janas('w-1') },
      { line: 3, request: janas('w-2', '7') },
    ])
  })

  test('may come from Excel in Europe: a byte order mark, semicolons, CR LF, quotes, empty lines', async () => {
    const lines = [
      '\ufeffidPayout;money.amount;money.currencyCode;paymentMethodCode;account.accountName;"account.accountNumber"',
      'w-1;10.50;EUR;BANK_TRANSFER;"Canary; ""Jana"", Ltd";000123-0123456789',
      '',
      ';;;;;',
      ' w-2 ; 7 ;EUR;BANK_TRANSFER;  Jana Canary;\u00a0000123-0123456789',
    ]
    const file = await check(lines.join('\r\n'))
    expect(file.problems).toEqual([])
    const found = file.lines()
    expect(found.map(({ line }) => line)).toEqual([2, 5])
    expect(found[0]?.request.paymentMethod.account?.accountName).toBe('Canary; "Jana", Ltd')
    expect(found[1]?.request).toEqual(janas('w-2', '7'))
  })

  test('names a field by the end of its path, or by all of it, and leaves out what is empty', async () => {
    const names =
      'idPayout\tpaymentRequested.money.amount\tcurrencyCode\tpaymentMethod.paymentMethodCode\taccountNumber\temailAddress'
    const file = await check(`${names}\nw-1\t5\tEUR\tBANK_TRANSFER\t000123\t\n`)
    expect(file.lines()[0]?.request).toEqual({
      idPayout: 'w-1',
      paymentRequested: { money: { amount: '5', currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '000123' } },
    })
  })

  test.each([
    [
      'idPayout,ammount,currencyCode,paymentMethodCode',
      expect.stringMatching(
        /^column 2 has a name that is not known; the first line must name the columns: idPayout/,
      ),
    ],
    [
      'idPayout,money.amonut,currencyCode,paymentMethodCode',
      expect.stringMatching(
        /^column 2 has a name that is not known; the first line must name the columns: idPayout/,
      ),
    ],
    [
      'idPayout,amount,currency,paymentMethodCode',
      expect.stringMatching(
        /^column 3 has a name that is not known; the first line must name the columns: idPayout/,
      ),
    ],
    [
      'idPayout,amount,money.amount,currencyCode,paymentMethodCode',
      'column 3 is amount again, as column 2 is.',
    ],
    ['idPayout,amount,,paymentMethodCode', 'column 3 has no name.'],
    [
      'idPayout,amount,currencyCode',
      expect.stringMatching(/^there is no column paymentMethodCode; the first line must name/),
    ],
  ])('says which column is wrong: %s', async (names, reason) => {
    expect(await reasons(`${names}\n${row('w-1')}`)).toEqual([[1, reason]])
  })

  test('says which name a column was meant to have', async () => {
    const found = await reasons(`id,Sum,currency,method,IBAN,beneficiary,e-mail,colour\n${row('w-1')}`)
    expect(
      found.map(
        ([, reason]) => /^column \d has a name that is not known; .*?(; did .*)?[?.]$/.exec(reason)?.[1],
      ),
    ).toEqual([
      ...[
        'idPayout',
        'amount',
        'currencyCode',
        'paymentMethodCode',
        'accountNumber',
        'accountName',
        'emailAddress',
      ].map((name) => `; did you mean ${name}`),
      undefined,
    ])
  })

  test('without a header shows nothing of its first payout', async () => {
    const found = await reasons(`${row('w-1')}\n${row('w-2')}\n`)
    expect(found.length).toBeGreaterThan(1)
    expect(found.every(([line]) => line === 1)).toBe(true)
  })

  test.each([
    [`${row('w-1')},more`, /^the line has 7 cells where the first line names 6 columns/],
    [row('w-1', '10,50'), /^the line has 7 cells/],
    [row('w-1', '10.505'), /^amount \(column B\) has 3 decimals, but EUR has 2; round it first\.$/],
    [row('w-1', '1e3'), /^amount \(column B\) must be a number or a plain decimal/],
    [row('w-1', '1234567890123456'), /more than 15 digits/],
    [row('w-1', ''), /^amount \(column B\) is missing; it must be a number/],
    [row('a/b'), /^idPayout \(column A\) must not contain/],
    [row('w-1', '0.00'), /^amount \(column B\) is 0, and nothing would be paid\.$/],
    [
      'w-1,x,eur,BANK_TRANSFER,Jana Canary,',
      /^amount \(column B\) must be .* currencyCode \(column C\) must be in capitals.* accountNumber \(column F\) is missing, so the payout would go nowhere\.$/,
    ],
    ['w-1,1,EUR,,Jana Canary,000123-0123456789', /^paymentMethodCode \(column D\) is missing/],
    ['w-1,1,EU,X,Jana Canary,000123-0123456789', /^currencyCode \(column C\) must be a currency code/],
    ['w-1,1,EUR,BANK_TRANSFER,"Jana Canary,000123-0123456789', /^a quote is opened and not closed/],
    ['w-1,1,EUR,BANK_TRANSFER,Jana "J" Canary,000123-0123456789', /^a quote stands in the middle/],
    [`w-1,1,EUR,BANK_TRANSFER,${'Jana Canary'.repeat(9000)},000123`, /^the line has more than 65536 bytes/],
    [Buffer.from('w-1,1,EUR,BANK_TRANSFER,M\u00fcller,000123', 'latin1'), /^the line is not UTF-8/],
    [`${row('w-1')}\r${row('w-2')}`, /carriage return/],
  ])('says what is wrong with a line, and reads the others: %s', async (line, reason) => {
    const content = Buffer.concat([`${header}\n`, line, `\n${row('w-9')}\n`].map((one) => Buffer.from(one)))
    expect(await reasons(content)).toEqual([[2, expect.stringMatching(reason)]])
    expect((await check(content)).payouts).toBe(1)
  })

  test('has each id once', async () => {
    expect(await reasons([header, row('w-1'), row('w-2'), row('w-1')].join('\n'))).toEqual([
      [4, 'idPayout is that of line 2; each payout needs an id of its own.'],
    ])
  })

  test('in UTF-16 is no file of ours', async () => {
    const [problem] = await reasons(Buffer.from(`\ufeff${header}\n${row('w-1')}`, 'utf16le'))
    expect(problem?.[1]).toMatch(/UTF-8/)
  })

  test('keeps 100 of its problems, and counts them all', async () => {
    const file = await check(
      [header, ...Array.from({ length: 250 }, (_, index) => row(`w-${index}`, 'x'))].join('\n'),
    )
    expect(file).toMatchObject({ payouts: 0, problemCount: 250 })
    expect(file.problems).toHaveLength(100)
  })
})

describe('an NDJSON file', () => {
  test('has a request on each line', async () => {
    const requests = [janas('w-1'), janas('w-2', 7.25)]
    const file = await check(
      `\ufeff${requests.map((one) => JSON.stringify(one)).join('\r\n')}\r\n`,
      'payouts.ndjson',
    )
    expect(file.totals).toEqual([{ currencyCode: 'EUR', payouts: 2, amount: '17.75' }])
    expect(file.lines().map(({ request }) => request)).toEqual(requests)
  })

  test('says of every line what is wrong, also after a first one that is', async () => {
    const lines = ['x', JSON.stringify(janas('w-1')), JSON.stringify(janas('w-1'))]
    expect(await reasons(lines.join('\n'), 'payouts.ndjson')).toEqual([
      [1, expect.stringMatching(/^the line is not a request/)],
      [3, expect.stringMatching(/^idPayout is that of line 2/)],
    ])
  })

  test('is one by the end of its name: as a table it has no payouts', async () => {
    const file = await check(`${JSON.stringify(janas('w-1'))}\n`, 'payouts.txt')
    expect(file).toMatchObject({ payouts: 0, problemCount: 1 })
  })

  test.each(['deep', 'extra'])(
    'nested deeper than a call can go is a line that is wrong: %s',
    async (name) => {
      const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
      const line = JSON.stringify(janas('w-1')).replace('"idPayout"', `"${name}":${deep},"idPayout"`)
      expect(await reasons(`${line}\n`, 'payouts.ndjson')).toEqual([[1, expect.any(String)]])
    },
  )

  test('has what a later version of the gateway takes in extra, also of a method without an account', async () => {
    const { paymentMethod, ...request } = janas('w-1')
    const { account: _, ...method } = paymentMethod
    const line = { ...request, paymentMethod: { ...method, extra: { wallet: 'w' } } }
    expect(await reasons(`${JSON.stringify(line)}\n`, 'payouts.ndjson')).toEqual([])
  })

  const changed = (from: string | RegExp, to: string) => JSON.stringify(janas('w-1')).replace(from, to)
  test.each([
    ['{"idPayout": "Jana', /^the line is not a request: it has to be one object of JSON, in braces\.$/],
    ['["Jana"]', /^the line is not a request/],
    [changed('"10.50"', '0'), /amount is 0, and nothing would be paid\.$/],
    [changed('"000123-0123456789"', '""'), /accountNumber is missing, so the payout would go nowhere\.$/],
    [
      changed(/"paymentMethod":\{.*\}\}(?=\})/, '"paymentMethod":"Jana"'),
      /^paymentMethod\.paymentMethodCode is missing; it has to be a text/,
    ],
    [
      changed('"accountName"', '"acountName"'),
      /^paymentMethod\.account\.acountName is not a field of a payout; did you mean paymentMethod\.account\.accountName\?$/,
    ],
    [
      changed('"accountName"', '"CZ00Canary0123456789"'),
      /^paymentMethod\.account\.\(not shown\) is not a field of a payout that this version knows; /,
    ],
    [changed('"idPayout"', '"id"'), /^id is not a field of a payout, whose id is idPayout/],
    [changed('"10.50"', '10.50000000000000001'), /^the amount has more digits than a JSON number keeps/],
    [changed('"10.50"', '12345678901234567890'), /^the amount has more digits/],
    [changed('"10.50"', '0.1e400'), /^the amount has more digits/],
    [changed('"10.50"', '1e-400'), /^the amount has more digits/],
    [changed('"amount":"10.50"', '"amou\\u006et":1.00000000000000001'), /^the amount has more digits/],
    [changed('"10.50"', '"10.50","amount":"99.50"'), /^a field stands in it twice/],
    [changed('"idPayout":"w-1"', '"idPayout":"w-1","id\\u0050ayout":"w-2"'), /^a field stands in it twice/],
    [changed('"000123-0123456789"', '1230123456789'), /accountNumber must be a string/],
  ])('says what is wrong with a line: %s', async (line, reason) => {
    expect(await reasons(`${line}\n`, 'payouts.jsonl')).toEqual([[1, expect.stringMatching(reason)]])
  })
})

describe('what is read of a file to be sent', () => {
  test('is nothing while a line is wrong', async () => {
    const file = await check([header, row('w-1'), row('w-2', 'x')].join('\n'))
    expect(() => file.lines()).toThrow(/^line 3 is wrong: .* 0 more are; nothing of this file was sent\.$/)
  })

  test('is nothing while a payout has no id', async () => {
    const file = await check([header, row(''), row('w-2')].join('\n'))
    expect(file).toMatchObject({ payouts: 2, withoutId: 1 })
    expect(() => file.lines()).toThrow(/without an idPayout: 1/)
  })

  test('is what was checked, whatever happens to the file meanwhile', async () => {
    const path = fileOf(`${header}\n${row('w-1')}\n`)
    const file = await checkPayoutFile(path)
    writeFileSync(path, `${header}\n${row('w-1', '99.50')}\n`)
    expect(file.lines()).toEqual([{ line: 2, request: janas('w-1') }])
  })

  test('is refused with an option that is misspelt', async () => {
    const wrong: object = { decimalcomma: true }
    await expect(checkPayoutFile(fileOf(`${header}\n`), wrong)).rejects.toThrow(/decimalcomma is no option/)
  })
})

test('totals are exact where floating point is not', async () => {
  const amounts = ['0.1', '0.2', '999999999999.99', '999999999999.99', '1', '0.70']
  const lines = amounts.map((amount, index) => row(`w-${index}`, amount))
  const bitcoin = 'w-x,0.00000001,XBT,BANK_TRANSFER,Jana Canary,1'
  expect((await check([header, ...lines, bitcoin].join('\n'))).totals).toEqual([
    { currencyCode: 'EUR', payouts: 6, amount: '2000000000001.98' },
    { currencyCode: 'XBT', payouts: 1, amount: '0.00000001' },
  ])
})
