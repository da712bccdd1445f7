import { describe, expect, test } from 'vitest'
import { hideArguments } from '../src/arguments.js'

describe('what was typed and may be a secret or an account is not repeated', () => {
  test.each([
    [
      "error: unknown command 's3cret-of-a-merchant-1'",
      ['s3cret-of-a-merchant-1'],
      "error: unknown command '[redacted]'",
    ],
    [
      "error: unknown option '--key=s3cret-of-a-merchant-1'",
      ['--key=s3cret-of-a-merchant-1'],
      "error: unknown option '[redacted]'",
    ],
    [
      "option '--port <PORT>' argument 's3cret-of-a-merchant-1' is invalid.",
      ['--port=s3cret-of-a-merchant-1'],
      "option '--port <PORT>' argument '[redacted]' is invalid.",
    ],
    ["unknown command 'a'b'", ["a'b"], "unknown command '[redacted]'"],
    ["unknown command '9900112233'", ['9900112233'], "unknown command '[redacted]'"],
    ["unknown command 'jana@shop.example'", ['jana@shop.example'], "unknown command '[redacted]'"],
    ["unknown command 'aB3dE5fG7hI9'", ['aB3dE5fG7hI9'], "unknown command '[redacted]'"],
  ])('%s', (said, args, shown) => {
    expect(hideArguments(said, args)).toBe(shown)
  })

  test.each([
    ["option '--port <PORT>' argument '70000' is invalid.", ['--port', '70000']],
    ["option '--pay-after <MS>' argument '5s' is invalid.", ['--pay-after=5s']],
    ["error: unknown command 'versions'", ['versions']],
  ])('but for a word or a number that was mistyped: %s', (said, args) => {
    expect(hideArguments(said, args)).toBe(said)
  })

  test('but for what is near to a name of ours', () => {
    const said = "error: unknown command 'sandbx'\n(Did you mean sandbox?)"
    expect(hideArguments(said, ['sandbx'])).toBe(said)
    expect(hideArguments("error: unknown option '--jsn'", ['--jsn'])).toBe("error: unknown option '--jsn'")
  })
})
