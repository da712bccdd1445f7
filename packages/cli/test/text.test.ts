import * as errors from 'merchant-gateway'
import { describe, expect, test } from 'vitest'
import { exitCodeOf, sentenceOf } from '../src/exit-codes.js'
import { inTwo, jsonLine, paragraph, printable, shellQuoted, spanOf } from '../src/text.js'

describe('exit codes', () => {
  test('every error of the package has one', () => {
    const codes = Object.values(errors.errorCodes).map((one) =>
      exitCodeOf(Reflect.construct(one.class, ['sentence.'])),
    )
    expect(new Set(codes)).toEqual(new Set([1, 2, 3]))
  })

  test('anything else is a defect, and still one sentence', () => {
    expect(exitCodeOf(new TypeError('x'))).toBe(70)
    expect(sentenceOf(new TypeError('x'))).toBe('this is a defect of merchant-gateway, please report it: x')
  })
})

describe('text', () => {
  test('from elsewhere can not move the cursor, end the line or turn its direction', () => {
    expect(printable('a\u001b[2J\r\n\u009b\u202eé')).toBe('a\\u001b[2J\\u000d\\u000a\\u009b\\u202eé')
    const value = { text: '\u009b\u2028' }
    expect(jsonLine(value)).toBe('{"text":"\\u009b\\u2028"}')
    expect(JSON.parse(jsonLine(value))).toEqual(value)
  })

  test.each([40, 60, 80, 100])('hangs below its head in %s columns, and no word is broken', (columns) => {
    const long = '0123456789abcdef'.repeat(4)
    const text = `RSA, 2048 bits, SHA-256 of the public half ${long}; its file is open to others (mode 0644)`
    const head = 'warn  key           '
    const lines = paragraph(text, head, columns).split('\n')
    const words = (shown: string) => shown.split(/\s+/).filter((word) => word !== '')
    expect(words(lines.join(' '))).toEqual(words(head + text))
    const indents = new Set(lines.slice(1).map((line) => line.search(/\S/)))
    expect([...indents]).toEqual([columns - head.length < long.length ? 6 : head.length])
    // Only a word that is longer than a line by itself.
    const tooWide = lines.filter(({ length }) => length > columns)
    expect(tooWide.every((line) => words(line).length === 1 && columns < 70)).toBe(true)
  })

  test('is one line where lines may be long, and a colour of its head takes no room', () => {
    const text = 'word '.repeat(100).trim()
    expect(paragraph(text, 'ok  ', Number.POSITIVE_INFINITY)).toBe(`ok  ${text}`)
    expect(paragraph('one two', '\u001b[31merror:\u001b[39m ', 11)).toBe(
      '\u001b[31merror:\u001b[39m one\n       two',
    )
  })

  test.each([
    ['a.csv does not exist; nothing was sent.', 'a.csv does not exist.', 'Nothing was sent.'],
    ['GATEWAY_RETRIES must be a number.', 'GATEWAY_RETRIES must be a number.', ''],
    ['It is taken. "x help" says more.', 'It is taken.', '"x help" says more.'],
    [
      'GET /balances: refused (401) ("code: A; message: B."); no payment was touched, and it is safe to ask again; check the key; ask the platform.',
      'GET /balances: refused (401) ("code: A; message: B.").',
      'Check the key. Ask the platform.',
    ],
    [
      'GET /payins/{idPayin}: not found (404); this says nothing about whether the payin exists or was paid, and it is safe to ask again.',
      'GET /payins/{idPayin}: not found (404).',
      'This says nothing about whether the payin exists or was paid, and it is safe to ask again.',
    ],
    ['id is not a field; did you mean idPayout?', 'id is not a field.', 'Did you mean idPayout?'],
  ])('what happened and what to do are two: %s', (sentence, ...two) => {
    expect(inTwo(sentence)).toEqual(two)
  })

  test('for a shell is quoted where it has to be', () => {
    expect(shellQuoted('/tmp/a-b_c.pem')).toBe('/tmp/a-b_c.pem')
    expect(shellQuoted("a b'c")).toBe(`'a b'\\''c'`)
    expect(shellQuoted('')).toBe(`''`)
  })

  test('spans are said in two units at most', () => {
    expect([0, 999, 61_000, 3_600_000, 90_061_000].map(spanOf)).toEqual([
      '0 ms',
      '999 ms',
      '1 min 1 s',
      '1 h',
      '1 d 1 h',
    ])
  })
})
