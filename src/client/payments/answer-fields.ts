import { isObject } from '../input/own.js'

/** A field of an answer, whatever the answer is; what an object inherits says nothing about a payment. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** Names of the one object that some gateways put an answer into. */
const envelopes = [
  'data',
  'payin',
  'payment',
  'result',
  'response',
  'order',
  'transaction',
  'payload',
  'item',
]

/** Where the fields of a payment may stand: at the top of the answer, and in one envelope. */
export function levelsOf(answer: unknown): readonly unknown[] {
  const inside = envelopes.map((name) => field(answer, name)).filter(isObject)
  return inside.length === 1 ? [answer, ...inside] : [answer]
}

/**
 * The money of a payment that was found: in the specification's place, or in one that gateways use for it where the
 * specification shows none.
 */
export function shownMoney(found: unknown): unknown {
  const places = levelsOf(found).flatMap((level) => [
    field(field(level, 'paymentRequested'), 'money'),
    field(level, 'money'),
    isThere(field(level, 'amount')) && isThere(field(level, 'currencyCode')) ? level : undefined,
  ])
  return places.find((place) => isThere(field(place, 'amount')) || isThere(field(place, 'currencyCode')))
}

/** Whether there is a value. Some gateways write null where there is none. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** As long as this, an id stands nowhere else by chance. */
const tellingLength = 8

/**
 * Whether an answer holds this id as a whole text: anywhere, or, of a short id, under a name that holds `id`,
 * `order` or `reference`.
 */
export function holdsId(answer: unknown, id: string): boolean {
  const isTelling = id.length >= tellingLength
  const left: (readonly [name: string, value: unknown])[] = [['', answer]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [name, value] = next
    if (value === id && (isTelling || isIdName(name))) return true
    if (typeof value !== 'object' || value === null) continue
    for (const inside of Object.keys(value)) {
      left.push([Array.isArray(value) ? name : inside, Reflect.get(value, inside)])
    }
  }
  return false
}

/** By its words: `paid` and `valid` hold no id. */
function isIdName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words.some((word) => idWord.test(word))
}

const idWord =
  /order|reference|^id$|^id(?:payin|payment|transaction)$|^(?:payin|payment|transaction|merchant|client|external)id$/
