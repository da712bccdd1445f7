import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { type PrivateKeyInput, parsePrivateKey } from '../../../src/client/input/private-key.js'
import { passphrase, privatePem, vector } from '../../support/vectors.js'

const read = (input: PrivateKeyInput, phrase?: string) =>
  parsePrivateKey(input, phrase, (why) => new Error(`privateKey ${why}`))
const key = createPrivateKey(privatePem)
const der = (type: 'pkcs8' | 'pkcs1') => key.export({ type, format: 'der' })
const wrapped = (text: string) => text.replace(/.{76}/g, '$&\n')
const withBreaks = (text: string) => privatePem.replaceAll('\n', text)
const indented = (by: string) => privatePem.replace(/^/gm, by)
const base64 = Buffer.from(privatePem).toString('base64')

/** By the first column of damaged-keys.tsv, the forms that are read. */
const readForms: Readonly<Record<string, readonly PrivateKeyInput[]>> = {
  'line breaks doubled': [withBreaks('\\\\n'), withBreaks('\\\\\n'), withBreaks('\\n'), withBreaks('\\r\\n')],
  'blanks for breaks': [withBreaks(' ')],
  'nothing for breaks': [withBreaks('')],
  'indented (YAML)': [indented('    '), indented('\t'), indented('\u00a0')],
  'carriage return alone': [withBreaks('\r')],
  'blanks at line ends': [withBreaks('  \n')],
  'base64 of the PEM': [base64, wrapped(base64)],
  'UTF-16LE with its mark': [Buffer.from(`\ufeff${privatePem}`, 'utf16le')],
  'base64 of DER, JWK, DER file': [
    der('pkcs8').toString('base64'),
    wrapped(der('pkcs1').toString('base64')),
    der('pkcs8'),
    der('pkcs1'),
  ],
}

/** The forms that are named. */
const namedForms: Readonly<Record<string, readonly (readonly [PrivateKeyInput, RegExp])[]>> = {
  'JSON of a secrets manager': [
    [JSON.stringify({ private_key: privatePem }), /is JSON: take the PEM out of its field/],
  ],
  'base64 of DER, JWK, DER file': [[JSON.stringify(key.export({ format: 'jwk' })), /is a JWK; convert it/]],
  'dashes of a word processor': [[privatePem.replaceAll('-----', '\u2014\u2014'), /other dashes than "-"/]],
  'plus signs lost': [[privatePem.replaceAll('+', ' '), /is damaged/]],
}

const forms = vector('damaged-keys.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t')[0] ?? '')

test.each(forms)('a key that an environment delivers as "%s" is read, or named by what it is', (form) => {
  const [good = [], bad = []] = [readForms[form], namedForms[form]]
  expect(good.length + bad.length).toBeGreaterThan(0)
  for (const input of good) expect(read(input).equals(key)).toBe(true)
  for (const [input, why] of bad) expect(() => read(input)).toThrow(why)
})

test.each(['aes-256-cbc', 'des-ede3-cbc'])(
  'an encrypted key of PKCS#1 (%s) is read without its line breaks',
  (cipher) => {
    const pem = key.export({ type: 'pkcs1', format: 'pem', cipher, passphrase }).toString()
    for (const damaged of [
      pem,
      pem.replaceAll('\n', '\\n'),
      pem.replaceAll('\n', ' '),
      pem.replaceAll('\n', ''),
    ])
      expect(read(damaged, passphrase).equals(key)).toBe(true)
    expect(() => read(pem)).toThrow('is encrypted')
  },
)

test('an encrypted key, and a key behind its certificate, are read as they are', () => {
  const pem = vector('rsa2048.encrypted.pem')
  expect(read(pem.replaceAll('\n', ' '), passphrase).equals(read(pem, passphrase))).toBe(true)
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  expect(read(certificate + privatePem).equals(key)).toBe(true)
  expect(() => read(certificate)).toThrow('is a certificate')
  expect(() => read(privatePem.slice(0, 900))).toThrow('is damaged')
})
