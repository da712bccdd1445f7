import type { Scope } from '../http/request.js'
import { isObject } from '../input/values.js'
import type { TokenScope } from '../observe/events.js'
import type { PaymentKind } from '../schemas/payment.js'
import { escapePattern, idPattern, operation } from './operations.js'

/** The groups of endpoints that share a token. */
export type TokenFamily = 'payins' | 'payouts' | 'account'

/** The operations of each family (specification, section 4). */
export const familyOperations: Readonly<Record<TokenFamily, readonly string[]>> = {
  payins: [operation('POST', '/payins/.*'), operation('GET', '/payins/.*')],
  payouts: [operation('POST', '/payouts/.*'), operation('GET', '/payouts/.*')],
  account: [
    operation('GET', '/merchant-info'),
    operation('GET', '/balances'),
    operation('GET', '/currencies'),
    operation('GET', '/payment-operators'),
  ],
}

export interface ScopeRules {
  family(family: TokenFamily): Scope
  /** For reading one payment; with the money of its request, which was checked, for creating it. */
  payment(kind: PaymentKind, id: string, money?: unknown): Scope
  paymentOptions(): Scope
  /** For the path that the option names, since the specification doesn't. */
  customerAccount(template: string, idPayin: string): Scope
  operations(operations: readonly string[]): Scope
}

export interface ScopeSettings {
  readonly tokens: 'per-family' | 'per-payment'
  readonly operations: Readonly<Record<TokenFamily, readonly string[]>>
}

/** Made once: a platform has a client for each of its merchants. */
const common: Partial<Record<ScopeSettings['tokens'], ScopeRules>> = {}

export function scopeRules(settings: ScopeSettings): ScopeRules {
  const { tokens, operations } = settings
  if (operations !== familyOperations) return rulesOf(settings)
  common[tokens] ??= rulesOf(settings)
  return common[tokens]
}

function rulesOf({ tokens, operations }: ScopeSettings): ScopeRules {
  const families: Record<TokenFamily, Scope> = {
    payins: operationsScope(operations.payins, 'payins'),
    payouts: operationsScope(operations.payouts, 'payouts'),
    account: operationsScope(operations.account, 'account'),
  }
  const rules = {
    family: (family: TokenFamily) => families[family],
    operations: (operations: readonly string[]) => operationsScope(operations, 'operations'),
  }
  if (tokens === 'per-payment') {
    return {
      ...rules,
      payment: (kind, id, money) => paymentScope(kind, id, money),
      paymentOptions: () =>
        operationsScope([operation('POST', '/payins/!availablePaymentOptions')], 'payins'),
      customerAccount: (template, idPayin) =>
        operationsScope([operation('GET', pattern(template, idPattern(idPayin)))], 'payment'),
    }
  }
  return {
    ...rules,
    payment: (kind) => families[`${kind}s`],
    paymentOptions: () => families.payins,
    customerAccount: (template) =>
      template.startsWith('/payins/')
        ? families.payins
        : operationsScope([operation('GET', pattern(template, '.*'))], 'payins'),
  }
}

function pattern(template: string, id: string): string {
  return template.split('{idPayin}').map(escapePattern).join(id)
}

function paymentScope(kind: PaymentKind, id: string, money: unknown): Scope {
  // The specification names actions for payins only (section 2).
  if (kind === 'payin')
    return { key: `PAYIN_CREATE ${id}`, label: 'payment', grant: { action: 'PAYIN_CREATE', idPayment: id } }
  const path = `/payouts/${idPattern(id)}`
  const { amount, currencyCode }: Record<string, unknown> = isObject(money) ? money : {}
  if (typeof amount !== 'number' || typeof currencyCode !== 'string') {
    return operationsScope([operation('GET', path)], 'payment')
  }
  // Whoever steals this token can send this much under this id once.
  const operations = [operation('POST', path)]
  const limit = { amount, currencyCode }
  return { key: JSON.stringify([operations, limit]), label: 'payment', grant: { operations, money: limit } }
}

function operationsScope(operations: readonly string[], label: TokenScope): Scope {
  return { key: JSON.stringify(operations), label, grant: { operations } }
}
