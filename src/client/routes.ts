import type { HttpMethod } from './http/transport/transport.js'

/** One operation of the gateway: the client's method, and the request that it makes. */
export interface Route {
  /** The method of the client, for logs and traces. */
  readonly name: string
  readonly method: HttpMethod
  /** The path with names in place of what varies: no message and no metric may show an id in it. */
  readonly template: string
}

/** The operations with a path of their own (specification, section 4). Tokens have theirs in section 5. */
export const routes = {
  payin: {
    create: { name: 'payins.create', method: 'POST', template: '/payins/{idPayin}' },
    retrieve: { name: 'payins.retrieve', method: 'GET', template: '/payins/{idPayin}' },
    options: { name: 'payins.paymentOptions', method: 'POST', template: '/payins/!availablePaymentOptions' },
  },
  payout: {
    create: { name: 'payouts.create', method: 'POST', template: '/payouts/{idPayout}' },
    retrieve: { name: 'payouts.retrieve', method: 'GET', template: '/payouts/{idPayout}' },
  },
  merchantInfo: { name: 'merchantInfo.retrieve', method: 'GET', template: '/merchant-info' },
  balances: { name: 'balances.list', method: 'GET', template: '/balances' },
  currencies: { name: 'currencies.list', method: 'GET', template: '/currencies' },
  paymentOperators: { name: 'paymentOperators.list', method: 'GET', template: '/payment-operators' },
} as const satisfies Record<string, Route | Record<string, Route>>

/** As messages and metrics name it: `POST /payins/{idPayin}`. */
export function labelOf({ method, template }: Pick<Route, 'method' | 'template'>): string {
  return `${method} ${template}`
}
