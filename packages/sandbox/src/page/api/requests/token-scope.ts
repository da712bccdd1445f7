import type { Scope } from '../../../gateway/auth/scope.js'
import { amountText } from '../text/amount-text.js'

/** What a token allows, one line each. */
export function scopeLines({ action, idPayment, operations = [], money }: Scope): string[] {
  return [
    ...(action === undefined ? [] : [`${action} for ${idPayment ?? ''}`]),
    ...operations,
    ...(money === undefined
      ? []
      : [`only for ${amountText(money.amount, money.currencyCode)} ${money.currencyCode}`]),
  ]
}
