import { describe, expect, test } from 'vitest'
import { hideArguments } from '../src/arguments.js'

const secret = 's3cret-of-a-merchant-1'

describe('what was typed and may be a secret or an account is not repeated', () => {
  test.each([
    [`error: unknown command '${secret}'`, [secret], "error: unknown command '[redacted]'"],
    [`error: unknown option '--key=${secret}'`, [`--key=${secret}`], "error: unknown option '[redacted]'"],
    [
      `option '--port <PORT>' argument '${secret}' is invalid.`,
      [`--port=${secret}`],
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
