import { checkPayout, InvalidInputError, type PayoutCreateInput } from '../index.js'
import { isObject } from '../input/own.js'
import type { Candidate } from './csv.js'
import type { LineProblem } from './lines.js'

/** A payout of a file. */
export interface PayoutFileLine {
  /** Number of its line; 1 is the first of the file, which in a CSV file names the columns. */
  readonly line: number
  /** The request as `payouts.create` takes it. */
  readonly request: PayoutCreateInput
}

/** What the client itself would say of a request, before it is sent. */
export function checkLine({ line, request }: Candidate): PayoutFileLine | LineProblem {
  if (!isPayout(request)) return { line, reason: whatIsMissing(request) }
  try {
    checkPayout(request)
    return { line, request }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return { line, reason: reasonOf(error, request) }
  }
}

/** The client leaves it to the gateway to refuse a payout to nowhere; in a file it is a mistake. */
function isPayout(request: unknown): request is PayoutCreateInput {
  if (!isObject(request)) return false
  const { paymentMethod } = request
  return isObject(paymentMethod) && typeof paymentMethod.paymentMethodCode === 'string'
}

function whatIsMissing(request: unknown): string {
  if (!isObject(request)) return 'the line is not a request: it has to be an object in braces.'
  const { paymentMethod } = request
  return paymentMethod === undefined || isObject(paymentMethod)
    ? 'paymentMethod.paymentMethodCode is missing; it has to be a text such as "BANK_TRANSFER".'
    : 'paymentMethod must be an object with paymentMethodCode.'
}

/** Excel writes what the locale has; which sign is the decimal one, nobody can tell from 1,000. */
const decimalComma = /^-?[\d.]*,\d*$/

/** The client's sentence. That nothing was sent is said of the whole file, once. */
function reasonOf(error: InvalidInputError, request: PayoutCreateInput): string {
  const amount: unknown = request.paymentRequested?.money?.amount
  const hint = typeof amount === 'string' && decimalComma.test(amount) ? ', with a point and no commas' : ''
  return withoutStrangeName(error).replace(/[;?] nothing was sent\.$/, (end) =>
    end.startsWith('?') ? '?' : `${hint}.`,
  )
}

/** In a program it is a programmer's word; in a file an account or a customer may stand where a name should. */
function withoutStrangeName({ message, field = '' }: InvalidInputError): string {
  const isStrange = message.startsWith(`${field} is not a field of a payout that this version knows`)
  return isStrange
    ? `${field.slice(0, field.lastIndexOf('.') + 1)}(not shown)${message.slice(field.length)}`
    : message
}
