import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonOf } from '../../src/client/input/values.js'
import { bodyStart, gatewayMessage, hiding, mask } from '../../src/client/redact.js'

/** UTF-16 units of any kind: halves of pairs stand alone as well. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes))
/** What could be taken for an escape, and letters that have many forms. */
const hostile = fc.string({
  unit: fc.constantFrom(...'%&#;\\"<>u041aAeéÉıİßſσςΣﬁŁøÆ̃́ᾳͅｶﾞ한王😀 -+.[]{}()|*?^$\n'),
  minLength: 1,
  maxLength: 40,
})
const anyText = fc.oneof(units, hostile, fc.string({ unit: 'binary', minLength: 1 }))
const megabyte = 1 << 20
const longText = fc
  .tuple(anyText, fc.constantFrom(1, 100, 8192, 32_768, megabyte))
  .map(([unit, length]) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(unit.length, length)),
  )

/** What is shown of a text, without its masks. */
const shownOf = (text: string) => text.split(mask)
/** A shorter one is looked for only where it stands by itself. */
const shortest = 8

describe('whatever the secrets and the response of a gateway are', () => {
  it('no secret is in what is shown', () => {
    fc.assert(
      fc.property(
        longText,
        fc.array(longText, { maxLength: 3 }),
        anyText,
        anyText,
        (secret, more, before, after) => {
          fc.pre(secret.length >= shortest)
          const shown = hiding([secret, ...more])(before + secret + after)
          for (const part of shownOf(shown)) expect(part.includes(secret)).toBe(false)
        },
      ),
      {
        numRuns: 60,
        examples: [
          ['\u0303'.repeat(100), [], 'a', 'b'],
          ['%%ﾞ%%%%%', [], '⼀', '}'],
        ],
      },
    )
  })

  const forms: Record<string, (secret: string) => string> = {
    'as it is': (secret) => secret,
    'in capitals': (secret) => secret.toUpperCase(),
    'in small letters': (secret) => secret.toLowerCase(),
    'in NFC': (secret) => secret.normalize('NFC'),
    'in NFD': (secret) => secret.normalize('NFD'),
    'percent-encoded': (secret) => encodeURIComponent(secret),
    'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
    'in a form': (secret) => new URLSearchParams({ s: secret }).toString().slice(2),
    'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
    'in JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    'in escapes of JSON': (secret) =>
      secret.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }

  it.each(Object.entries(forms))('none is %s', (_name, form) => {
    fc.assert(
      fc.property(anyText, (text) => {
        // As UTF-8 brings it to the gateway.
        const secret = Buffer.from(text).toString()
        fc.pre(secret.length >= shortest)
        const echoed = form(secret)
        for (const part of shownOf(hiding([secret])(`<${echoed}>`))) expect(part).not.toContain(echoed)
      }),
      { numRuns: 200 },
    )
  })

  it('the message of an error is short, and made without an error', () => {
    const json = fc.oneof(
      fc.json(),
      longText.map((detail) => JSON.stringify({ errors: [{ code: detail, detail }] })),
    )
    fc.assert(
      fc.property(fc.oneof(longText, json), fc.array(longText, { maxLength: 3 }), (body, secrets) => {
        const hide = hiding(secrets)
        expect(bodyStart(body, hide).start.length).toBeLessThanOrEqual(200)
        expect(gatewayMessage(jsonOf(body), hide)?.length ?? 0).toBeLessThanOrEqual(5000)
      }),
      { numRuns: 60 },
    )
  })
})
