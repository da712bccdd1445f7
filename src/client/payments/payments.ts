import type { ScopeRules } from '../auth/scopes.js'
import type { TokenKeeper } from '../auth/token-keeper.js'
import type { Http } from '../http/http.js'
import type { PaymentKind } from '../schemas/payment.js'
import type { AnswerShape } from '../schemas/shape.js'
import { type CallbackLink, PaymentListeners } from './callback-link.js'
import type { LiveGuard } from './live-guard.js'
import { type PaymentReading, type ReadingOptions, readingOf } from './reading.js'
import type { PaymentLike } from './status.js'

export interface PaymentTraits<Created, Found extends PaymentLike, Result> {
  readonly kind: PaymentKind
  readonly createdShape: AnswerShape<Created>
  readonly foundShape: AnswerShape<Found>
  readonly accepted: (payment: Created, id: string) => Result
  /** The same when it had accepted it before; `existedBefore` when this call can't have made it. */
  readonly replayed: (
    payment: Found,
    id: string,
    notCompared: readonly string[],
    existedBefore: boolean,
  ) => Result
  /** A payment that is there and of which nothing was shown; absent where the specification promises what is shown. */
  readonly unseen?: () => Found
}

export interface PaymentParts {
  readonly http: Http
  readonly tokens: TokenKeeper
  readonly scopes: ScopeRules
  readonly callbacks: CallbackLink
  readonly maxIdLength: number
  readonly liveGuard: LiveGuard
}

export interface FoundPayments<Found extends PaymentLike> {
  readonly kind: PaymentKind
  readonly parts: PaymentParts
  readonly foundShape: AnswerShape<Found>
  readonly reading: PaymentReading
  readonly listeners: PaymentListeners<Found>
}

export interface Payments<Created, Found extends PaymentLike, Result>
  extends FoundPayments<Found>,
    PaymentTraits<Created, Found, Result> {}

export function paymentsOf<Created, Found extends PaymentLike, Result>(
  traits: PaymentTraits<Created, Found, Result>,
  parts: PaymentParts,
  options: ReadingOptions,
): Payments<Created, Found, Result> {
  const reading = readingOf(traits.kind, options)
  // A status that this gateway has elsewhere is not missed where the specification shows it.
  const isElsewhere = reading.statusFields[0] !== 'process.status'
  const foundShape = isElsewhere ? { ...traits.foundShape, elsewhere: 'process' } : traits.foundShape
  return { ...traits, parts, foundShape, reading, listeners: new PaymentListeners() }
}
