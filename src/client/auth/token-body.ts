import type { Failure } from '../http/failure.js'
import type { SignedBody, TokenGrant } from '../http/request.js'
import { clockAheadMs } from '../http/retry-policy.js'
import { serialise } from '../input/values.js'
import { type Credentials, notASignature, type Signer } from './signer.js'

export interface TokenBodySettings {
  readonly merchantCode: string
  readonly credentials: Credentials
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly now: () => number
}

/** The body of one token request, made anew for each attempt (specification, section 5). */
export class TokenBody {
  readonly #settings: TokenBodySettings
  readonly #grant: TokenGrant
  readonly #wantedSecs: number
  #varies: boolean
  /** A little less than was wanted where the body had to be another one. */
  validitySecs: number
  /** By how much its timestamp is behind this machine's clock: 0, until the gateway has shown another time. */
  aheadMs: number

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
  async make(previous: Failure | undefined): Promise<SignedBody | Failure> {
    const { credentials, now } = this.#settings
    const part = this.#varies ? Math.random() : 0
    this.#varies = true
    if (previous?.kind === 'response' && previous.response.status === 401) {
      this.aheadMs = clockAheadMs(previous.response.headers.get('date'), now()) ?? 0
    }
    return 'signer' in credentials
      ? this.#signed(credentials.signer, part)
      : this.#withSecret(credentials.merchantSecret, part)
  }

  /** It has no signature that could be taken for a replay. */
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
    const timestamp = Math.floor(timestampUnit === 'seconds' ? signedMs / 1000 : signedMs)
    const bodyOf = (varied: Varied) =>
      serialise({
        merchantCode,
        validitySecs: varied.validitySecs,
        ...this.#grant,
        timestamp: varied.timestamp,
      })
    const picked = distinct.pick({ validitySecs: this.#wantedSecs, timestamp }, part, bodyOf, nowMs)
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

export interface Varied {
  readonly validitySecs: number
  readonly timestamp: number
}

/** By how much a validity may be shortened, in seconds: a tenth of it and a minute at most, and never to nothing. */
export function spreadOf(validitySecs: number): number {
  return Math.max(0, Math.min(60, Math.ceil(validitySecs / 10), validitySecs - 1))
}

/** The ways to write a request, of which none asks for more: shorter validities, from `first` (0 to 1) on; then earlier times. */
export function* variants({ validitySecs, timestamp }: Varied, first: number): Generator<Varied> {
  const spread = spreadOf(validitySecs)
  const start = Math.min(spread, Math.floor(first * (spread + 1)))
  for (let back = 0; back <= mostBack; back++) {
    for (let n = 0; n <= spread; n++) {
      const less = (start + n) % (spread + 1)
      yield { validitySecs: validitySecs - less, timestamp: timestamp - back }
    }
  }
}

const mostBack = 60
/** Longer than any variant reaches into the past. */
const rememberedMs = 70_000

/** The token requests of the last seconds: a gateway may refuse an equal signature as a replay (specification, section 5.3). */
export class DistinctRequests {
  readonly #sentAt = new Map<string, number>()

  pick(wanted: Varied, first: number, bodyOf: (varied: Varied) => string, nowMs: number) {
    this.#forget(nowMs)
    let picked = { ...wanted, body: bodyOf(wanted) }
    for (const varied of variants(wanted, first)) {
      picked = { ...varied, body: bodyOf(varied) }
      if (!this.#sentAt.has(picked.body)) break
    }
    this.#sentAt.set(picked.body, nowMs)
    return picked
  }

  #forget(nowMs: number): void {
    for (const [body, sentAt] of this.#sentAt) {
      // A clock that was turned back forgets too.
      if (Math.abs(nowMs - sentAt) <= rememberedMs) return
      this.#sentAt.delete(body)
    }
  }
}

/** Of all clients of the process: several may have the same key. */
const distinct = new DistinctRequests()
