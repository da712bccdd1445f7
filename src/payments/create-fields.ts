import { moneyFields } from '../schemas/money.js'
import { plain } from '../schemas/nearest.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import type { Level } from '../schemas/request-fields.js'

/** The objects of a create request, and their fields (specification, section 2). */
const fieldsOf = {
  paymentRequested: ['money'],
  'paymentRequested.money': moneyFields,
  paymentMethod: ['paymentMethodCode', 'paymentOperatorCode', 'account', 'emailAddress'],
  'paymentMethod.account': ['accountName', 'accountNumber'],
} as const

export type CreateObject = keyof typeof fieldsOf

const topFields = {
  payin: ['idPayin', 'paymentRequested', 'paymentMethod', 'callbackUrl', 'returnUrl'],
  payout: ['idPayout', 'paymentRequested', 'paymentMethod', 'callbackUrl'],
} as const

/** Names under which an id is looked for in vain, as {@link plain} writes them. */
const idNames =
  /^(?:(?:merchant|client|external)?(?:order|payment|payin|payout|transaction|request)?id|id(?:order|payment|payin|payout|transaction)|idempotency(?:key|token)|u?uid|reference|referenceid)$/

/** What may be in one object of a create request; at the top where no object is named. */
export function createLevel(kind: PaymentKind, object?: CreateObject): Level {
  return {
    path: object === undefined ? '' : `${object}.`,
    what: `a ${kind}`,
    known: object === undefined ? topFields[kind] : fieldsOf[object],
    elsewhere: paths,
    whyNot: (name) =>
      idNames.test(plain(name))
        ? `, whose id is ${idFieldOf[kind]}: under another name a fresh id would be made at every call, and a retry would pay twice`
        : undefined,
  }
}

const paths = Object.entries(fieldsOf).flatMap(([object, names]) => names.map((name) => `${object}.${name}`))
