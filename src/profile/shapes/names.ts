import type { Hide } from '../../client/redact/mask.js'

/** What names of fields look like in JSON. */
const nameForm = /^[A-Za-z_$][\w.$-]{0,63}$/
/** Numbers of orders and accounts, UUIDs, and codes of currencies: as names they are data. */
const dataForm = /\d{4}|^[\dA-Fa-f]{8}-|^[A-Z]{3}$/
/** What reaches a prototype when somebody copies a profile field by field. */
const unfit = new Set(['__proto__', 'constructor', 'prototype'])

/** The specification's own: a customer may be called Mark Code, and the field is no secret for that. */
const specified = new Set(
  [
    'amount currencyCode accountName accountNumber bankCode bankName data paymentMethodCode paymentOperators',
    'code name channelInfo paymentRequested money paymentMethod account paymentOperatorCode emailAddress',
    'callbackUrl returnUrl paymentMethodResponse idPayin idPayout expireAt reference process status createdAt',
    'processedAt isTest fee merchantCode validitySecs action idPayment operations timestamp token message error',
    'errors',
  ].flatMap((names) => names.split(' ')),
)

/** Whether a text can be the name of a field in a profile, or of a part of it. */
export function isName(name: string): boolean {
  return nameForm.test(name) && !unfit.has(name)
}

/** A field's name as a profile shows it: `*` where it may be data, or holds what is to be hidden. */
export function shownName(name: string, hide: Hide): string {
  if (specified.has(name)) return name
  return isName(name) && !dataForm.test(name) && hide(name) === name ? name : '*'
}
