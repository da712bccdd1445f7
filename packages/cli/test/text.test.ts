import * as errors from 'merchant-gateway'
import { describe, expect, test } from 'vitest'
import { exitCodeOf, sentenceOf } from '../src/exit-codes.js'
import { jsonLine, printable, shellQuoted, spanOf } from '../src/text.js'

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
