import type { KeyObject } from 'node:crypto'
import { types } from 'node:util'

/** What a private key may be given as: PEM text (PKCS#1, PKCS#8, encrypted) or a parsed key. */
export type PrivateKeyInput = string | Uint8Array | KeyObject

const leastBits = 2048

/** Loaded by the first key and not by the import: it is a fifth of what importing this package costs. */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto')

type WrongKey = (why: string) => Error

export function parsePrivateKey(
  input: PrivateKeyInput,
  passphrase: string | undefined,
  wrongKey: WrongKey,
): KeyObject {
  const key = isText(input) ? parseText(input, passphrase, wrongKey) : input
  if (key.type !== 'private') throw wrongKey(`is a ${key.type} key; the private one signs`)
  if (key.asymmetricKeyType !== 'rsa') {
    throw wrongKey(`is of type ${key.asymmetricKeyType}; the gateway takes RSA keys (SHA256withRSA)`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < leastBits) {
    throw wrongKey(`has ${bits} bits; make one of at least ${leastBits}`)
  }
  return key
}

function isText(input: PrivateKeyInput): input is string | Uint8Array {
  return typeof input === 'string' || types.isUint8Array(input)
}

export function keyText(input: PrivateKeyInput): readonly string[] {
  return isText(input) ? [textOf(input)] : []
}

function textOf(input: string | Uint8Array): string {
  return typeof input === 'string' ? input.trim() : new TextDecoder(encodingOf(input)).decode(input).trim()
}

/** PowerShell writes files as UTF-16. Its mark may be absent: half of each sign of a key is a zero. */
function encodingOf([first, second]: Uint8Array): string {
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le'
  return first === 0 || (first === 0xfe && second === 0xff) ? 'utf-16be' : 'utf-8'
}

function parseText(
  input: string | Uint8Array,
  passphrase: string | undefined,
  wrongKey: WrongKey,
): KeyObject {
  const text = textOf(input)
  if (typeof input !== 'string' && input[0] === derStart) return parseDer(input, wrongKey)
  if (!/^[A-Za-z0-9+/=\s]+$/.test(text)) return parsePem(text, passphrase, wrongKey)
  // Of a whole file, where a variable can't hold line breaks.
  const bytes = Buffer.from(text, 'base64')
  if (bytes[0] === derStart) return parseDer(bytes, wrongKey)
  // Twice, where a secrets manager encodes what was encoded before.
  const decoded = textOf(bytes)
  return /-----|^[A-Za-z0-9+/=\s]{1000,}$/.test(decoded)
    ? parseText(decoded, passphrase, wrongKey)
    : parsePem(text, passphrase, wrongKey)
}

const derStart = 0x30

function parseDer(der: Uint8Array, wrongKey: WrongKey): KeyObject {
  const key = Buffer.from(der)
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return nodeCrypto().createPrivateKey({ key, format: 'der', type })
    } catch {
      // The other one, or none.
    }
  }
  throw wrongKey('is DER that holds no private key without a passphrase; give it as PEM')
}

const noPem: readonly (readonly [RegExp, string])[] = [
  [/^\s*\{[\s\S]*"kty"/, 'is a JWK; convert it to PEM'],
  [/^\s*[{[]/, 'is JSON: take the PEM out of its field'],
  [
    /[\u2010-\u2015\u2212][-\s]*BEGIN/,
    'has other dashes than "-": a word processor has changed them; copy it from its file',
  ],
]

function parsePem(text: string, passphrase: string | undefined, wrongKey: WrongKey): KeyObject {
  const blocks = [...text.matchAll(/-----\s*BEGIN\s*([A-Z0-9\s]+)-----([^-]*(?:-(?!----)[^-]*)*)/g)]
  const unread = noPem.find(([look]) => look.test(text))?.[1]
  if (unread !== undefined) throw wrongKey(unread)
  const [, written, body = ''] =
    blocks.find(([, one = '']) => /PRIVATE\s*KEY\s*$/.test(one)) ?? blocks[0] ?? []
  // What takes the line breaks away may take blanks away, too.
  const label = written?.replace(/\s+/g, '').replace(/(?<=.)(?=(?:PRIVATE|PUBLIC)?KEY$)/g, ' ')
  if (label === undefined) {
    throw wrongKey(
      'is not PEM: it must start with "-----BEGIN PRIVATE KEY-----" or similar (the text of the file, not its path)',
    )
  }
  if (label.endsWith('PUBLIC KEY')) throw wrongKey('is a public key; the private one signs')
  if (label === 'CERTIFICATE') throw wrongKey('is a certificate; the private key that belongs to it signs')
  if (label === 'OPENSSH PRIVATE KEY') {
    throw wrongKey('is in OpenSSH form; convert it with "ssh-keygen -p -m PKCS8 -f FILE"')
  }
  const pem = builtAnew(label, body)
  const encrypted = label === 'ENCRYPTED PRIVATE KEY' || pem.includes('Proc-Type')
  if (encrypted && passphrase === undefined) {
    throw wrongKey(
      'is encrypted; give privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE) as well, or a KeyObject',
    )
  }
  try {
    return nodeCrypto().createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase })
  } catch {
    // OpenSSL's own error is not kept: it says nothing that a merchant could use.
    if (encrypted)
      throw wrongKey('could not be decrypted; check privateKeyPassphrase (GATEWAY_PRIVATE_KEY_PASSPHRASE)')
    throw wrongKey('is damaged: its PEM could not be parsed (was it cut, or were characters lost?)')
  }
}

const vector = { AES: 32, DES: 16 } as const

/** PEM in its own lines, whatever an environment has made of the line breaks: `\\n`, `\u000a`, `%0A`, blanks, quotes, or nothing. */
function builtAnew(label: string, damaged: string): string {
  const body = damaged.replace(/\\+(?:u000[ad]|[nrt])?|%0[ad]/gi, '\n')
  const [all = '', cipher = '', kind = 'AES'] =
    /Proc-Type:\s*4,\s*ENCRYPTED\s*DEK-Info:\s*((AES|DES)[A-Z0-9-]*),\s*/.exec(body) ?? []
  const rest = body.slice(body.indexOf(all) + all.length).replace(/[^A-Za-z0-9+/=]/g, '')
  const digits = all === '' ? 0 : vector[kind === 'DES' ? 'DES' : 'AES']
  const headers =
    all === '' ? [] : ['Proc-Type: 4,ENCRYPTED', `DEK-Info: ${cipher},${rest.slice(0, digits)}`, '']
  const lines = rest.slice(digits).match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...headers, ...lines, `-----END ${label}-----`, ''].join('\n')
}

export function signWith(key: KeyObject, bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    nodeCrypto().sign('RSA-SHA256', bytes, key, (error, signature) => {
      if (error === null) resolve(signature)
      else reject(error)
    })
  })
}
