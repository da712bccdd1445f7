import type { Failure } from '../http/failure.js'
import type { Identity } from '../http/request.js'
import { field, isObject } from '../input/values.js'
import type { PaymentLike } from '../payment-like.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment.js'

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

/** The one object in which some gateways put all that they send, where the response has one. */
function envelopeOf(response: unknown): object | undefined {
  const inside = envelopes.map((name) => field(response, name)).filter(isObject)
  return inside.length === 1 ? inside[0] : undefined
}

/** In the specification's place, or in one that gateways use for it. */
export function shownMoney(found: unknown): unknown {
  return moneyAt(found) ?? moneyAt(envelopeOf(found))
}

export function showsMoney(found: unknown, money: unknown): boolean {
  const shown = shownMoney(found)
  const isSameAmount = field(shown, 'amount') === field(money, 'amount')
  return isSameAmount && field(shown, 'currencyCode') === field(money, 'currencyCode')
}

function moneyAt(level: unknown): unknown {
  for (const place of [field(level, 'paymentRequested.money'), field(level, 'money')]) {
    if (field(place, 'amount') !== undefined || field(place, 'currencyCode') !== undefined) return place
  }
  const isMoney = field(level, 'amount') !== undefined && field(level, 'currencyCode') !== undefined
  return isMoney ? level : undefined
}

/** As long as this, an id stands nowhere else by chance. */
const tellingLength = 8

/** Whether it stands anywhere as a whole text; a short id only under a name that holds `id`, `order` or `reference`. */
export function holdsId(response: unknown, id: string): boolean {
  const isTelling = id.length >= tellingLength
  const left: (readonly [name: string, value: unknown])[] = [['', response]]
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

const [yes, no] = [/^\s*(?:true|1)\s*$/i, /^\s*(?:false|0)\s*$/i]

/** Whether a payment shows that it is a test (`true`) or real (`false`): in its place, or beside a status at the top. */
export function showsTest(payment: PaymentLike, isTest: boolean | undefined): boolean {
  if (isTest === undefined) return false
  const word = isTest ? yes : no
  return word.test(String(field(payment, 'process.isTest'))) || word.test(String(field(payment, 'isTest')))
}

/** Where a payment shows its id (specification, section 2). */
export const idPath = {
  payin: `paymentMethodResponse.${idFieldOf.payin}`,
  payout: `paymentMethodResponse.${idFieldOf.payout}`,
} as const satisfies Record<PaymentKind, string>

/** Whose payment a response shows. One about another payment is worse than none. */
export function identify(kind: PaymentKind, response: unknown, id: string): Identity {
  const there = field(response, idPath[kind])
  if (there === id) return asked
  if (there !== undefined || namesAnother(kind, response, id)) {
    return another(`${idPath[kind]}: not the id that was asked for`)
  }
  return nobody
}

const asked: Identity = { shows: 'asked', issue: undefined, lacks: undefined }
const nobody: Identity = { shows: 'nothing', issue: undefined, lacks: undefined }

function another(issue: string): Identity {
  return { shows: 'other', issue, lacks: undefined }
}

function namesAnother(kind: PaymentKind, response: unknown, id: string): boolean {
  const otherKind = idFieldOf[kind === 'payin' ? 'payout' : 'payin']
  const levels = [response, envelopeOf(response)]
  const places = levels.flatMap((level) => [level, field(level, 'paymentMethodResponse')])
  return places.some((place) => {
    const shown = field(place, idFieldOf[kind]) ?? field(place, otherKind)
    return shown !== undefined && String(shown) !== id
  })
}

/** Of a payout the specification promises the id (section 2), so one without it could be anybody's. A payin is for {@link isTied}. */
export function identifyAfter409(kind: PaymentKind, found: unknown, id: string): Identity {
  const identity = identify(kind, found, id)
  if (identity.shows !== 'nothing' || (kind === 'payin' && isObject(found))) return identity
  return another(`${idPath[kind]}: not shown, and nothing else ties it to the request`)
}

export function isMixedUp(failure: Failure | undefined): boolean {
  return failure?.kind === 'unusable' && failure.shows === 'other'
}

/** What to do where a gateway shows its payments otherwise than the specification does. */
export const whereItStands =
  'if it stands elsewhere, say where by the option statuses; "merchant-gateway doctor --pay" finds it'
