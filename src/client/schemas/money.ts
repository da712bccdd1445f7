import { InvalidInputError } from '../errors.js'
import { argument, check, type Refuse } from '../input/check.js'
import { textLike } from '../input/kinds.js'
import { type Level, type RequestShape, requestOf } from '../input/request-fields.js'
import * as z from '../input/zod.js'

/** An amount of money to send (specification, section 2). */
export interface MoneyInput {
  /**
   * In the currency's main unit (10.50 EUR, and not 1050 cents): a number, or a decimal string such as
   * `'10.50'`. At most 15 digits, so that it survives as a JSON number exactly; never negative.
   */
  amount: number | string
  /** Three-letter currency code. */
  currencyCode: string
  /** Fields of a newer gateway that this version doesn't know (specification, section 9): sent beside the others. */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** An amount of money as the gateway sends it (specification, section 2). */
export interface Money {
  /** Decimal, in the currency's main unit; the number on the wire. */
  amount: number
  /** Three-letter currency code. */
  currencyCode: string
}

export const moneySchema = z.looseObject({ amount: z.number(), currencyCode: z.string() })

const decimal = /^(?:0|[1-9]\d*)(?:\.\d+)?$/
// A double keeps every decimal of 15 significant digits and prints it back unchanged; no more.
const maxDigits = 15

/** Why an amount can't be sent: NaN, infinities, negatives, more than 15 digits, and texts that are no plain decimals. */
function whyNoAmount(amount: unknown): string | undefined {
  if (typeof amount === 'number') {
    if (!Number.isFinite(amount)) return 'must be a finite number, or a decimal string such as "10.50"'
    if (amount < 0) return 'must not be negative'
  } else if (typeof amount !== 'string' || !decimal.test(amount)) {
    return 'must be a number or a plain decimal string such as "10.50"'
  }
  const value = Number(amount)
  const written = String(amount)
  if (value < 1e-100 && /[1-9]/.test(written)) return 'is smaller than a JSON number can say'
  // A short text can't have too many digits, unless it has an exponent.
  if ((written.length <= maxDigits && value < 1e15) || digits(written) <= maxDigits) return undefined
  const orText = typeof amount === 'number' ? ' or pass a string (sums such as 0.1 + 0.2 do this)' : ''
  return `has more than ${maxDigits} digits, which a JSON number does not keep exactly: round it${orText}`
}

function digits(text: string): number {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const kept = fraction.replace(/0+$/, '')
  const significant = (whole + kept).replace(/^0+/, '').length
  return significant + Math.max(0, Number(exponent) - kept.length)
}

const code = textLike('a currency code of three letters such as "EUR"', /^[A-Za-z]{3}$/)

const asksForNoFraction = z.superRefine<Partial<Money>>(({ value, issues }) => {
  const { amount, currencyCode } = value
  const [mantissa = '', exponent = '0'] = String(amount).split('e')
  const used = Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent))
  const allowed = used === 0 ? undefined : decimalsOf(String(currencyCode))
  if (allowed === undefined || used <= allowed) return
  const message = `has ${used} decimals, but ${currencyCode} has ${allowed}; round it first`
  issues.push({ code: 'custom', input: amount, path: ['amount'], message })
})

const amountLike = z.unknown<number>(
  undefined,
  z.superRefine<unknown>((payload) => {
    const message = whyNoAmount(payload.value)
    if (message === undefined) payload.value = Number(payload.value) || 0
    else payload.issues.push({ code: 'custom', input: payload.value, message })
  }),
)

const moneyFields = { amount: amountLike, currencyCode: code } satisfies RequestShape<MoneyInput>

export function moneyIn(level: Level) {
  return level('an object with amount and currencyCode', moneyFields, asksForNoFraction)
}

/** The same as a field of a request that names its own fields otherwise. */
export const requestMoney = requestOf('money', moneyIn)

const plainMoney = argument('a field of money', moneyFields, asksForNoFraction)

const wrongMoney: Refuse = (field, why) => new InvalidInputError(`${field} ${why}.`, { field })

/**
 * Money for a request, with the amount checked against the currency's number of decimals.
 *
 * @example
 * money('10.50', 'EUR') // { amount: 10.5, currencyCode: 'EUR' }
 * money('10.505', 'EUR') // throws: EUR has 2 decimals
 * @throws when the amount or the code is certainly wrong ({@link InvalidInputError}).
 */
export function money(amount: number | string, currencyCode: string): Money {
  return check(plainMoney, { amount, currencyCode }, wrongMoney)
}

/** The currencies of 0, 1, 2 and 3 decimals (ISO 4217). Intl is slow to ask for the first time; a test holds these against it. */
const byDecimals = [
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  '',
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG ZWL',
  'BHD IQD JOD KWD LYD OMR TND',
]

/** The number of decimals of a currency, by its three letters; undefined for one that is not known here. */
export function decimalsOf(code: string): number | undefined {
  const upper = code.toUpperCase()
  for (const [decimals, codes] of byDecimals.entries()) if (codes.includes(upper)) return decimals
  return undefined
}

/**
 * Money from an amount in the currency's minor unit, as many shops keep it: 1050 cents are 10.50 EUR, 1050 yen are
 * 1050 JPY, 1050 fils are 1.050 KWD.
 *
 * @param amount a whole number of minor units, 0 or more.
 * @example
 * moneyFromMinorUnits(1050, 'EUR') // { amount: 10.5, currencyCode: 'EUR' }
 * @throws for an amount that is no whole number, and a currency whose decimals are not known ({@link InvalidInputError}).
 */
export function moneyFromMinorUnits(amount: number | bigint, currencyCode: string): Money {
  if (typeof amount !== 'bigint' && !Number.isSafeInteger(amount)) {
    throw wrongMoney('amount', 'must be a whole number of minor units, such as 1050 for 10.50 EUR')
  }
  if (amount < 0) throw wrongMoney('amount', 'must not be negative')
  check(argument('a field of money', { currencyCode: code }), { currencyCode }, wrongMoney)
  const decimals = decimalsOf(currencyCode)
  if (decimals === undefined) {
    throw new InvalidInputError(
      `how many decimals ${currencyCode} has is not known here; give the amount in its main unit to money().`,
      { field: 'currencyCode' },
    )
  }
  const digits = String(amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return money(decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`, currencyCode)
}
