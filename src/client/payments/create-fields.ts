import { plain } from '../input/nearest.js'
import type { Door, Table } from '../input/reader.js'
import { type Fields, level, requestDoor, withExtra } from '../input/request-fields.js'
import { anything, is, required } from '../input/rows.js'
import type { AccountInput } from '../schemas/account.js'
import { moneyLevel } from '../schemas/money.js'
import type { PayinCreateInput } from '../schemas/payins.js'
import type { PaymentCreateInput, PaymentMethodInput, PaymentRequestedInput } from '../schemas/payment.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import type { PayoutCreateInput } from '../schemas/payouts.js'

const text = is('a string (a number loses leading zeros)', (value) => typeof value === 'string')

const url = is(
  'an absolute http or https URL',
  (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
)

const account = {
  accountName: text,
  accountNumber: text,
} satisfies Fields<AccountInput>

const paymentMethod = {
  paymentMethodCode: text,
  paymentOperatorCode: text,
  account: level('an object with accountName and accountNumber', account),
  emailAddress: is('a text', (value) => typeof value === 'string'),
} satisfies Fields<PaymentMethodInput>

const paymentRequested = {
  money: required(moneyLevel),
} satisfies Fields<PaymentRequestedInput>

const common = {
  paymentRequested: required(level('an object with money in it', paymentRequested)),
  paymentMethod: level('an object with paymentMethodCode', paymentMethod),
  callbackUrl: url,
} satisfies Fields<PaymentCreateInput>

/** What may be in a create request (specification, section 2). The id is looked at first, by itself. */
export const createFields: Readonly<Record<PaymentKind, Table>> = {
  payin: withExtra({ idPayin: anything(), ...common, returnUrl: url } satisfies Fields<PayinCreateInput>),
  payout: withExtra({ idPayout: anything(), ...common } satisfies Fields<PayoutCreateInput>),
}

/** How a create request is spoken of. */
export const createDoors: Readonly<Record<PaymentKind, Door>> = {
  payin: doorOf('payin'),
  payout: doorOf('payout'),
}

/** Names under which an id is looked for in vain, as {@link plain} writes them. */
const idNames =
  /^(?:(?:merchant|client|external)?(?:order|payment|payin|payout|transaction|request)?id|id(?:order|payment|payin|payout|transaction)|idempotency(?:key|token)|u?uid|reference|referenceid)$/

function doorOf(kind: PaymentKind): Door {
  return requestDoor(`a ${kind}`, createFields[kind], (name) =>
    idNames.test(plain(name))
      ? `, whose id is ${idFieldOf[kind]}: under another name a fresh id would be made at every call, and a retry would pay twice`
      : undefined,
  )
}
