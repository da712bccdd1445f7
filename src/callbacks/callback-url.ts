import { isUtf8 } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { InvalidInputError, type PaymentKind } from '../index.js'

/** One payin. */
export interface PayinRef {
  /** Your id of a payin. */
  readonly idPayin: string
  /** Absent. */
  readonly idPayout?: never
}

/** One payout. */
export interface PayoutRef {
  /** Your id of a payout. */
  readonly idPayout: string
  /** Absent. */
  readonly idPayin?: never
}

/** One payment: `{ idPayin }` or `{ idPayout }`. */
export type PaymentRef = PayinRef | PayoutRef

/** The payment that a callback is about. */
export interface CallbackTarget {
  readonly kind: PaymentKind
  readonly id: string
}

/** @throws unless exactly one id is given, as a text that UTF-8 can hold ({@link InvalidInputError}). */
export function targetOf(payment: PaymentRef): CallbackTarget {
  if (typeof payment === 'string') {
    throw new InvalidInputError(
      'a text alone is the id of a payin or of a payout: name the payment by { idPayin } or by { idPayout }; nothing was sent.',
    )
  }
  const { idPayin, idPayout }: Partial<PaymentRef> = payment ?? {}
  const [kind, id] = idPayout === undefined ? (['payin', idPayin] as const) : (['payout', idPayout] as const)
  if (typeof id !== 'string' || id === '' || (idPayin !== undefined && idPayout !== undefined)) {
    throw new InvalidInputError(
      'a payment is named by { idPayin } or by { idPayout }, as a text; nothing was sent.',
    )
  }
  // Half a character comes back from the URL as another one.
  if (Buffer.from(id).toString() !== id) {
    throw new InvalidInputError('an id must not hold halves of characters; nothing was sent.')
  }
  return { kind, id }
}

export function refOf(kind: PaymentKind, id: string): PaymentRef {
  return kind === 'payin' ? { idPayin: id } : { idPayout: id }
}

/** What URLs are bound to: `url https://shop.example/callbacks`, `environment production`. The first signs, all verify. */
export type Places = readonly [string, ...string[]]

interface Key {
  readonly id: string
  readonly secret: Uint8Array
}

const segmentForm = /^2\.([\w-]{8})\.(payin|payout)\.([\w-]{2,})\.([\w-]{43})$/

/**
 * The keys of the last segment of callback URLs, `2.KEY-ID.KIND.ID.MAC`, with id and MAC in base64url. The first key
 * signs, all verify.
 */
export class CallbackKeys {
  readonly #keys: readonly [Key, ...Key[]]
  readonly #places: Places

  constructor([first, ...others]: readonly [Uint8Array, ...Uint8Array[]], places: Places) {
    this.#keys = [keyOf(first), ...others.map(keyOf)]
    this.#places = places
  }

  sign({ kind, id }: CallbackTarget): string {
    const [key] = this.#keys
    const payload = `2.${key.id}.${kind}.${Buffer.from(id).toString('base64url')}`
    return `${payload}.${mac(key, payload, this.#places[0])}`
  }

  /** The payment that the last segment of a URL or path was signed for; undefined for everything else. */
  verify(requestTarget: string): CallbackTarget | undefined {
    const [, keyId = '', kind, encodedId = '', macText = ''] =
      segmentForm.exec(lastSegment(requestTarget)) ?? []
    if (kind !== 'payin' && kind !== 'payout') return undefined
    const matches = (key: Key, place: string) => {
      const expected = mac(key, `2.${key.id}.${kind}.${encodedId}`, place)
      // Compared as text: several texts decode to the same bytes, and only one of them was signed.
      return timingSafeEqual(Buffer.from(expected), Buffer.from(macText)) && key.id === keyId
    }
    // Every key is tried: two secrets may share an id, and the time must not tell which keys there are.
    const found = this.#keys.flatMap((key) => this.#places.map((place) => matches(key, place))).includes(true)
    return found ? { kind, id: Buffer.from(encodedId, 'base64url').toString() } : undefined
  }
}

/** As it was sent, without the query. Frameworks and proxies append a slash. */
function lastSegment(requestTarget: string): string {
  const [whole = ''] = requestTarget.split(/[?#]/, 1)
  const path = whole.endsWith('/') ? whole.slice(0, -1) : whole
  return path.slice(path.lastIndexOf('/') + 1)
}

function keyOf(secret: Uint8Array): Key {
  const id = createHmac('sha256', secret).update('merchant-gateway callback key id').digest('base64url')
  return { id: id.slice(0, 8), secret }
}

/** No payload holds a space, so none is taken for another one with a place. */
function mac({ secret }: Key, payload: string, place: string): string {
  return createHmac('sha256', secret)
    .update(`merchant-gateway callback ${payload} ${place}`)
    .digest('base64url')
}

/** How a text may spell secrets. */
export function secretTexts(secrets: readonly Uint8Array[]): readonly string[] {
  return secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret)
    return [...(isUtf8(bytes) ? [bytes.toString()] : []), bytes.toString('hex'), bytes.toString('base64')]
  })
}
