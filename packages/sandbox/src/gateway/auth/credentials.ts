import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { isMinified } from '../wire/json-body.js'
import { header, type RequestHeaders } from '../wire/request.js'
import { Refusal } from '../wire/response.js'

export interface CredentialOptions {
  readonly merchantCode: string
  readonly merchantSecret: string | undefined
  readonly publicKeys: readonly KeyObject[]
  readonly privateKey: KeyObject | undefined
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly timestampToleranceSecs: number
  readonly replay: 'allow' | 'refuse'
}

/** The newest signatures; at ten a second, more than the timestamps that are still taken can have. */
const MAX_SEEN = 10_000

export class Credentials {
  readonly #options: CredentialOptions
  readonly #publicKeys: KeyObject[]
  readonly #seen = new Set<string>()
  #privateKey: KeyObject | undefined

  constructor(options: CredentialOptions) {
    this.#options = options
    this.#publicKeys = [...options.publicKeys]
    if (options.privateKey !== undefined) this.#adopt(options.privateKey)
  }

  /** The merchant's private key: the option `privateKey`, else the one of all sandboxes of this process. */
  privateKey(): KeyObject {
    return this.#privateKey ?? this.#adopt(sharedKey())
  }

  /** @throws with 400 or 401. The specification leaves the statuses open ({@link Refusal}). */
  check(headers: RequestHeaders, raw: Uint8Array, body: Record<string, unknown>, nowMs: number): void {
    if (typeof body.merchantCode !== 'string') {
      throw new Refusal(400, 'INVALID_MERCHANT_CODE', 'merchantCode must be a string.')
    }
    const signature = header(headers, 'x-signature')
    // Both are checked where both are sent: a wrong secret is refused beside a good signature too.
    if (signature !== undefined) this.#checkSignature(signature, raw)
    if (signature === undefined || body.secret !== undefined) this.#checkSecret(body.secret)
    if (body.merchantCode !== this.#options.merchantCode) {
      throw new Refusal(401, 'MERCHANT_UNKNOWN', 'merchantCode is not known.')
    }
    // A timestamp goes with a signature; a request with a secret has none.
    if (signature === undefined) return
    this.#checkTimestamp(body.timestamp, nowMs)
    if (this.#options.replay === 'refuse') this.#checkReplay(signature)
  }

  #adopt(key: KeyObject): KeyObject {
    this.#privateKey = key
    this.#publicKeys.push(createPublicKey(key))
    return key
  }

  #checkSignature(signature: string, raw: Uint8Array): void {
    // Checked, because Node's decoder ignores characters that are not base64.
    const isBase64 = signature.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(signature)
    if (!isBase64) throw new Refusal(401, 'SIGNATURE_MALFORMED', 'X-SIGNATURE is not base64.')
    if (!isMinified(raw)) {
      throw new Refusal(401, 'BODY_NOT_MINIFIED', 'The signed body must have no insignificant whitespace.')
    }
    const bytes = Buffer.from(signature, 'base64')
    if (this.#publicKeys.some((key) => verify('RSA-SHA256', raw, key, bytes))) return
    throw new Refusal(401, 'SIGNATURE_INVALID', 'X-SIGNATURE does not match the body and a known public key.')
  }

  #checkSecret(secret: unknown): void {
    const expected = this.#options.merchantSecret
    if (secret === undefined) {
      throw new Refusal(401, 'SIGNATURE_MISSING', 'Neither the X-SIGNATURE header nor a secret was sent.')
    }
    if (expected !== undefined && secret === expected) return
    throw new Refusal(401, 'SECRET_INVALID', 'The secret is not one of the merchant.')
  }

  /** The last check, so that only signatures of accepted requests are remembered. */
  #checkReplay(signature: string): void {
    // Decoded and encoded again, because different Base64 texts can stand for the same bytes.
    const seen = Buffer.from(signature, 'base64').toString('base64')
    if (this.#seen.has(seen)) {
      throw new Refusal(401, 'SIGNATURE_SEEN', 'This very request has been sent before.')
    }
    for (const oldest of this.#seen) {
      if (this.#seen.size < MAX_SEEN) break
      this.#seen.delete(oldest)
    }
    this.#seen.add(seen)
  }

  #checkTimestamp(timestamp: unknown, nowMs: number): void {
    if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp)) {
      throw new Refusal(401, 'TIMESTAMP_MISSING', 'A signed body must carry timestamp, an integer.')
    }
    const { timestampUnit: unit, timestampToleranceSecs: tolerance } = this.#options
    const sentAtMs = unit === 'seconds' ? timestamp * 1000 : timestamp
    if (Math.abs(nowMs - sentAtMs) <= tolerance * 1000) return
    throw new Refusal(
      401,
      'TIMESTAMP_OUT_OF_RANGE',
      `timestamp is more than ${tolerance} s away from the gateway's clock; it is in ${unit}.`,
    )
  }
}

let generated: KeyObject | undefined

/** Made once, at the first call: making a key takes from a tenth of a second to a whole one, and tests make many sandboxes. */
function sharedKey(): KeyObject {
  generated ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return generated
}

/** A PEM or a key as an RSA public key, or undefined when it is something else. */
export function rsaPublicKey(input: unknown): KeyObject | undefined {
  return rsa(input, 'public', (pem) => createPublicKey(pem))
}

export function rsaPrivateKey(input: unknown): KeyObject | undefined {
  return rsa(input, 'private', (pem) => createPrivateKey(pem))
}

function rsa(input: unknown, type: string, parse: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    const key = typeof input === 'string' ? parse(input) : input
    return isKey(key) && key.type === type && key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

function isKey(value: unknown): value is KeyObject {
  return typeof value === 'object' && value !== null && 'asymmetricKeyType' in value && 'type' in value
}
