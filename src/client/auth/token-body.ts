import type { Failure } from '../http/failure.js'
import type { SignedBody } from '../http/request.js'
import { clockAheadMs } from '../http/retry-policy.js'
import { serialise } from '../input/json.js'
import { DistinctRequests, spreadOf, type Varied } from './distinct-requests.js'
import type { TokenGrant } from './scopes.js'
import { notASignature, type Signer, type TokenCredential } from './signer.js'

export interface TokenBodySettings {
  readonly merchantCode: string
  readonly credentials: TokenCredential
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly now: () => number
}

/** Of all clients of the process: several may have the same key. */
const distinct = new DistinctRequests()

/**
 * The body of one token request, made anew for each attempt (specification, section 5). After an attempt its fields say
 * what that attempt has said.
 */
export class TokenBody {
  readonly #settings: TokenBodySettings
  readonly #grant: TokenGrant
  readonly #wantedSecs: number
  /** Whether the next one is varied in any case. */
  #varies: boolean
  /** The validity that was asked for, a little less than was wanted where the body had to be another one. */
  validitySecs: number
  /** By how much its timestamp is behind this machine's clock: 0, until the gateway has shown another time. */
  aheadMs: number

  /** @param varies whether what is minted together should not end together. */
  constructor(
    settings: TokenBodySettings,
    grant: TokenGrant,
    { validitySecs, aheadMs, varies }: { validitySecs: number; aheadMs: number; varies: boolean },
  ) {
    this.#settings = settings
    this.#grant = grant
    this.#wantedSecs = validitySecs
    this.#varies = varies
    this.validitySecs = validitySecs
    this.aheadMs = aheadMs
  }

  /** @param previous the attempt before. A signature that was refused may only have been of a wrong time. */
  make(previous: Failure | undefined): Promise<SignedBody | Failure> {
    const { credentials, now } = this.#settings
    const part = this.#varies ? Math.random() : 0
    this.#varies = true
    if (previous?.kind === 'response' && previous.response.status === 401) {
      this.aheadMs = clockAheadMs(previous.response.headers.get('date'), now()) ?? 0
    }
    return 'signer' in credentials
      ? this.#signed(credentials.signer, part)
      : Promise.resolve(this.#withSecret(credentials.merchantSecret, part))
  }

  /** No signature that could be taken for a replay. */
  #withSecret(secret: string, part: number): SignedBody {
    this.validitySecs = this.#wantedSecs - Math.floor(part * spreadOf(this.#wantedSecs))
    const { merchantCode } = this.#settings
    const body = serialise({ merchantCode, validitySecs: this.validitySecs, ...this.#grant, secret })
    return { body: Buffer.from(body), headers: {} }
  }

  /** Serialises once; what is signed is what is sent (specification, section 5.3). */
  async #signed(signer: Signer, part: number): Promise<SignedBody | Failure> {
    const { merchantCode, now, timestampUnit } = this.#settings
    const nowMs = now()
    const signedMs = nowMs - this.aheadMs
    const wanted: Varied = {
      validitySecs: this.#wantedSecs,
      timestamp: Math.floor(timestampUnit === 'seconds' ? signedMs / 1000 : signedMs),
    }
    const bodyOf = ({ validitySecs, timestamp }: Varied) =>
      serialise({ merchantCode, validitySecs, ...this.#grant, timestamp })
    const picked = distinct.pick(wanted, part, bodyOf, nowMs)
    this.validitySecs = picked.validitySecs
    const body = Buffer.from(picked.body)
    try {
      const signature = await signer.sign(body)
      const gave = notASignature(signature)
      if (gave !== undefined) return { kind: 'signing', cause: undefined, gave }
      return { body, headers: { 'x-signature': Buffer.from(signature).toString('base64') } }
    } catch (cause) {
      return { kind: 'signing', cause }
    }
  }
}
