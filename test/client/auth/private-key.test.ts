import { createPrivateKey, createSecretKey, generateKeyPairSync } from 'node:crypto'
import type { PrivateKeyInput } from 'merchant-gateway'
import { expect, it } from 'vitest'
import { caught } from '../../support/caught.js'
import { isSigned, mockGateway } from '../../support/gateway.js'
import { passphrase, privatePem, publicPem, vector } from '../../support/vectors.js'

const gateway = mockGateway()
const key = createPrivateKey(privatePem)
const der = (type: 'pkcs8' | 'pkcs1') => key.export({ type, format: 'der' })
const wrapped = (text: string) => text.replace(/.{76}/g, '$&\n')
const withBreaks = (text: string) => privatePem.replaceAll('\n', text)
const indented = (by: string) => privatePem.replace(/^/gm, by)
const base64 = Buffer.from(privatePem).toString('base64')
const encrypted = vector('rsa2048.encrypted.pem')
const ofOlderTools = (cipher = 'aes-256-cbc') =>
  key.export({ type: 'pkcs1', format: 'pem', cipher, passphrase }).toString()
const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

/** Every form in which a key is kept or delivered, and is read. */
const forms: Readonly<Record<string, readonly PrivateKeyInput[]>> = {
  'PKCS#8 and PKCS#1': [privatePem, vector('rsa2048.pkcs1.pem')],
  'a Buffer, a Uint8Array, a KeyObject': [Buffer.from(privatePem), new TextEncoder().encode(privatePem), key],
  'encrypted PKCS#8': [encrypted, encrypted.replaceAll('\n', ' ')],
  'encrypted by older tools': ['aes-256-cbc', 'des-ede3-cbc'].flatMap((cipher) =>
    ['\n', '\\n', ' ', ''].map((text) => ofOlderTools(cipher).replaceAll('\n', text)),
  ),
  'line breaks escaped, or of Windows': ['\\n', '\\r\\n', '\r\n'].map(withBreaks),
  'in quotes, as in a .env file': [`"${privatePem}"`, `'${privatePem}'`, `"${withBreaks('\\n')}"`],
  'blank space around it, or a mark before it': [`\n\n  ${privatePem}  \n`, `\ufeff${privatePem}`],
  'behind its certificate': [certificate + privatePem],
  'line breaks doubled': ['\\\\n', '\\\\\n'].map(withBreaks),
  'blanks for breaks': [withBreaks(' ')],
  'nothing for breaks': [withBreaks('')],
  'no white space at all': [privatePem, vector('rsa2048.pkcs1.pem')].map((text) => text.replace(/\s/g, '')),
  'no-break spaces, also in its first line': [withBreaks('\u00a0').replaceAll(' ', '\u00a0')],
  'line breaks as escapes of JSON, URLs and programs': [
    ...['\\u000a', '%0A', '%0d%0a'].map(withBreaks),
    ...['"\n"', '",\n"', '\u200b\n'].map(withBreaks),
  ],
  'indented (YAML)': [indented('    '), indented('\t'), indented('\u00a0')],
  'carriage return alone': [withBreaks('\r')],
  'blanks at line ends': [withBreaks('  \n')],
  'base64 of the PEM': [base64, wrapped(base64), Buffer.from(base64).toString('base64')],
  'UTF-16LE with its mark': [Buffer.from(`\ufeff${privatePem}`, 'utf16le')],
  'UTF-16 without its mark, or the other way round': [
    Buffer.from(privatePem, 'utf16le'),
    ...[privatePem, `\ufeff${privatePem}`].map((text) => Buffer.from(text, 'utf16le').swap16()),
    Buffer.from(Buffer.from(privatePem, 'utf16le').toString('base64')),
  ],
  'base64 of DER, JWK, DER file': [
    ...[der('pkcs8').toString('base64'), wrapped(der('pkcs1').toString('base64'))],
    ...[der('pkcs8'), der('pkcs1')],
  ],
}

// A passphrase that no key needs does no harm.
it.each(Object.entries(forms))('a key is taken and signs: %s', async (_form, keys) => {
  for (const privateKey of keys) {
    await gateway.client({ privateKey, privateKeyPassphrase: passphrase }).currencies.list()
    const request = gateway.tokenRequests().at(-1)
    expect(request !== undefined && isSigned(request)).toBe(true)
  }
})

const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`
const phrase = 'privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE)'
const isPublic = 'is a public key; the private one signs.'
const isDamaged = 'is damaged: its PEM could not be parsed (was it cut, or were characters lost?).'
const needsPhrase = `is encrypted; give ${phrase} as well, or a KeyObject.`
const rsaPss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
const otherType = (type: string) => `is of type ${type}; the gateway takes RSA keys (SHA256withRSA).`

/** What can't sign for this gateway, and what is said of it. */
const wrong: [what: string, key: PrivateKeyInput, why: string | RegExp, secret?: string][] = [
  ['an RSA key of 1024 bits', vector('rsa1024.pem'), 'has 1024 bits; make one of at least 2048.'],
  ['an elliptic curve key', vector('ec-p256.pem'), otherType('ec')],
  ['an RSA-PSS key', rsaPss, otherType('rsa-pss')],
  ['a public key', publicPem, isPublic],
  ['a PKCS#1 public key', pem('RSA PUBLIC KEY'), isPublic],
  ['a certificate', certificate, 'is a certificate; the private key that belongs to it signs.'],
  ['a secret key', createSecretKey(Buffer.alloc(32, 7)), 'is a secret key; the private one signs.'],
  [
    'an OpenSSH key',
    pem('OPENSSH PRIVATE KEY'),
    'is in OpenSSH form; convert it with "ssh-keygen -p -m PKCS8 -f FILE".',
  ],
  ['text that is no key', 'hunter2hunter2', /^is not PEM: it must start with "-----BEGIN PRIVATE KEY-----"/],
  ['a key that lost a line', privatePem.replace(/\n.{64}\n/, '\n'), isDamaged],
  ['a key that was cut', privatePem.slice(0, 400), isDamaged],
  ['plus signs lost', privatePem.replaceAll('+', ' '), isDamaged],
  ['an encrypted key alone', encrypted, needsPhrase],
  ['an encrypted key of older tools alone', ofOlderTools(), needsPhrase],
  ['a wrong passphrase', encrypted, `could not be decrypted; check ${phrase}.`, 'battery-staple'],
  [
    'a wrong one for older tools',
    ofOlderTools(),
    `could not be decrypted; check ${phrase}.`,
    'battery-staple',
  ],
  [
    'JSON of a secrets manager',
    JSON.stringify({ private_key: privatePem }),
    /^is JSON: take the PEM out of its field/,
  ],
  ['base64 of DER, JWK, DER file', JSON.stringify(key.export({ format: 'jwk' })), /^is a JWK; convert it/],
  ['dashes of a word processor', privatePem.replaceAll('-----', '\u2014\u2014'), /other dashes than "-"/],
  ['some of them', privatePem.replaceAll('-----', '\u2014\u2014-'), /other dashes than "-"/],
]

it.each(wrong)(
  'a key that can not sign is refused with the reason: %s',
  async (_what, privateKey, why, secret) => {
    const error = await caught(() => gateway.client({ privateKey, privateKeyPassphrase: secret }))
    expect(error).toMatchObject({ code: 'configuration', option: 'privateKey' })
    expect(error.message).toMatch(/^privateKey /)
    const said = error.message.replace(/^privateKey /, '')
    if (typeof why === 'string') expect(said).toBe(why)
    else expect(said).toMatch(why)
    // OpenSSL's own words and the key's text stay out of it.
    expect(error.cause).toBeUndefined()
    if (typeof privateKey === 'string')
      expect(error.stack).not.toContain(privateKey.trim().split('\n')[1] ?? privateKey)
  },
)

it('every damage that was seen has its row', () => {
  const [, ...rows] = vector('damaged-keys.tsv').trim().split('\n')
  const seen = rows.map((line) => line.split('\t')[0] ?? '')
  const known = [...Object.keys(forms), ...wrong.map(([what]) => what)]
  expect(seen.filter((form) => !known.includes(form))).toEqual([])
})
