import type { CallOptions, GatewayClient, WaitOptions } from '../../src/index.js'
import { paymentRequest } from '../faults/support.js'

type Run<O> = (client: GatewayClient, id: string, options?: O) => Promise<unknown>

const money = { amount: '77.31', currencyCode: 'EUR' }
export const operations = ['GET /x']

/** One call of each method that takes the options of a call; a client needs the option customerAccountPath for it. */
export const methods: Readonly<Record<string, Run<CallOptions>>> = {
  'payins.create': ({ payins }, id, options) => payins.create({ idPayin: id, ...paymentRequest() }, options),
  'payins.retrieve': ({ payins }, id, options) => payins.retrieve(id, options),
  'payins.paymentOptions': ({ payins }, _, options) => payins.paymentOptions(money, options),
  'payins.customerAccount': ({ payins }, id, options) => payins.customerAccount(id, options),
  'payouts.create': ({ payouts }, id, options) =>
    payouts.create({ idPayout: id, ...paymentRequest() }, options),
  'payouts.retrieve': ({ payouts }, id, options) => payouts.retrieve(id, options),
  'balances.list': ({ balances }, _, options) => balances.list({}, options),
  'currencies.list': ({ currencies }, _, options) => currencies.list(options),
  'merchantInfo.retrieve': ({ merchantInfo }, _, options) => merchantInfo.retrieve(options),
  'paymentOperators.list': ({ paymentOperators }, _, options) => paymentOperators.list(options),
  'authTokens.create': ({ authTokens }, _, options) => authTokens.create({ operations }, options),
  'authTokens.createByAction': ({ authTokens }, id, options) =>
    authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: id }, options),
  'authTokens.shareable': ({ authTokens }, id, options) =>
    authTokens.shareable({ idPayin: id, validitySecs: 60 }, options),
  request: (client, _, options) => client.request({ method: 'GET', path: '/x', operations }, options),
}

export const waits: Readonly<Record<string, Run<WaitOptions>>> = {
  'payins.waitFor': ({ payins }, id, options = { maxWaitMs: 5000 }) => payins.waitFor(id, options),
  'payouts.watch': async ({ payouts }, id, options = { maxWaitMs: 5000 }) =>
    (await payouts.watch(id, options).next()).value,
}

export const customerAccountPath = '/payins/{idPayin}/account'
