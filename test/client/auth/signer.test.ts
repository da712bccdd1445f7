import { createPrivateKey, createSecretKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { privateKeySigner } from '../../../src/client/auth/signer.js'
import { ConfigurationError } from '../../../src/client/errors.js'
import type { PrivateKeyInput } from '../../../src/client/input/private-key.js'
import { caught } from '../../support/caught.js'
import { passphrase, privatePem, publicPem, signatureVectors, vector } from '../../support/vectors.js'

const legacyEncryptedPem = createPrivateKey(privatePem)
  .export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString()

async function sign(key: PrivateKeyInput, text: string, secret?: string): Promise<string> {
  return Buffer.from(await privateKeySigner(key, secret).sign(Buffer.from(text))).toString('base64')
}

describe('a private key signs as OpenSSL does', () => {
  it.each(signatureVectors)('the vector "$name"', async ({ minified, signature, body }) => {
    expect(JSON.stringify(body)).toBe(minified)
    expect(await sign(privatePem, minified)).toBe(signature)
  })
})

describe('a private key is taken in every form that it is kept in', () => {
  const forms: readonly [form: string, key: PrivateKeyInput, secret?: string][] = [
    ['PKCS#8 PEM', privatePem],
    ['PKCS#1 PEM', vector('rsa2048.pkcs1.pem')],
    ['encrypted PKCS#8 PEM', vector('rsa2048.encrypted.pem'), passphrase],
    ['encrypted PKCS#1 PEM of older tools', legacyEncryptedPem, passphrase],
    ['PEM with line breaks escaped as \\n', privatePem.replaceAll('\n', '\\n')],
    ['PEM with line breaks escaped as \\r\\n', privatePem.replaceAll('\n', '\\r\\n')],
    ['PEM with Windows line breaks', privatePem.replaceAll('\n', '\r\n')],
    ['PEM in double quotes', `"${privatePem}"`],
    ['PEM in single quotes', `'${privatePem}'`],
    ['PEM escaped and quoted, as in a .env file', `"${privatePem.replaceAll('\n', '\\n')}"`],
    ['PEM with blank space around it', `\n\n  ${privatePem}  \n`],
    ['PEM after a byte order mark', `\ufeff${privatePem}`],
    ['PEM that needs no passphrase, with one', privatePem, passphrase],
    ['a Buffer of PEM', Buffer.from(privatePem)],
    ['a Uint8Array of PEM', new TextEncoder().encode(privatePem)],
    ['a KeyObject', createPrivateKey(privatePem)],
  ]

  it.each(forms)('%s', async (_form, key, secret) => {
    const [first] = signatureVectors
    expect(await sign(key, first?.minified ?? '', secret)).toBe(first?.signature)
  })
})

const damaged = privatePem.replace(/\n.{64}\n/, '\n')
const rsaPss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`

describe('a key that can not sign for this gateway is refused with the reason', () => {
  const wrongKeys: readonly (readonly [
    what: string,
    key: PrivateKeyInput,
    secret: string | undefined,
    sentence: string,
  ])[] = [
    [
      'an RSA key of 1024 bits',
      vector('rsa1024.pem'),
      undefined,
      'privateKey has 1024 bits; make one of at least 2048.',
    ],
    [
      'an elliptic curve key',
      vector('ec-p256.pem'),
      undefined,
      'privateKey is of type ec; the gateway takes RSA keys (SHA256withRSA).',
    ],
    [
      'an RSA-PSS key',
      rsaPss,
      undefined,
      'privateKey is of type rsa-pss; the gateway takes RSA keys (SHA256withRSA).',
    ],
    ['a public key', publicPem, undefined, 'privateKey is a public key; the private one signs.'],
    [
      'a PKCS#1 public key',
      pem('RSA PUBLIC KEY'),
      undefined,
      'privateKey is a public key; the private one signs.',
    ],
    [
      'a certificate',
      pem('CERTIFICATE'),
      undefined,
      'privateKey is a certificate; the private key that belongs to it signs.',
    ],
    [
      'an OpenSSH key',
      pem('OPENSSH PRIVATE KEY'),
      undefined,
      'privateKey is in OpenSSH form; convert it with "ssh-keygen -p -m PKCS8 -f FILE".',
    ],
    [
      'text that is no key',
      'hunter2hunter2',
      undefined,
      'privateKey is not PEM: it must start with "-----BEGIN PRIVATE KEY-----" or similar (the text of the file, not its path).',
    ],
    [
      'a key that lost a line',
      damaged,
      undefined,
      'privateKey is damaged: its PEM could not be parsed (was it cut, or were characters lost?).',
    ],
    [
      'a key that was cut',
      privatePem.slice(0, 400),
      undefined,
      'privateKey is damaged: its PEM could not be parsed (was it cut, or were characters lost?).',
    ],
    [
      'an encrypted key without its passphrase',
      vector('rsa2048.encrypted.pem'),
      undefined,
      'privateKey is encrypted; give privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE) as well, or a KeyObject.',
    ],
    [
      'an encrypted key with a wrong passphrase',
      vector('rsa2048.encrypted.pem'),
      'battery-staple',
      'privateKey could not be decrypted; check privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE).',
    ],
    [
      'an encrypted key of older tools without its passphrase',
      legacyEncryptedPem,
      undefined,
      'privateKey is encrypted; give privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE) as well, or a KeyObject.',
    ],
    [
      'an encrypted key of older tools with a wrong passphrase',
      legacyEncryptedPem,
      'battery-staple',
      'privateKey could not be decrypted; check privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE).',
    ],
    [
      'a secret key',
      createSecretKey(Buffer.alloc(32, 7)),
      undefined,
      'privateKey is a secret key; the private one signs.',
    ],
  ]

  it.each(wrongKeys)('%s', async (_what, key, secret, sentence) => {
    const error = await caught(() => privateKeySigner(key, secret))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({ code: 'configuration', option: 'privateKey', message: sentence })
    // OpenSSL's own words and the key's text stay out of it.
    expect(error.cause).toBeUndefined()
    if (typeof key === 'string') expect(error.stack).not.toContain(key.trim().split('\n')[1] ?? key)
  })
})
