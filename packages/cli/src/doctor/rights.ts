import { randomUUID } from 'node:crypto'
import { errorCodes, type GatewayClient } from 'merchant-gateway'
import { exitCodes } from '../exit-codes.js'
import { fail, type Judged, ok, type Say, warn } from './finding.js'
import { type CheckResult, resultOf } from './gateway.js'

type Ask = (client: GatewayClient, id: string) => Promise<unknown>

/** The read-only operations of each family: payments of random ids are looked up, and none is created. */
const families: Readonly<Record<string, Readonly<Record<string, Ask>>>> = {
  payins: {
    'GET /payins/{idPayin}': ({ payins }, id) => payins.retrieve(id),
    'POST /payins/!availablePaymentOptions': ({ payins }) =>
      payins.paymentOptions({ amount: 10, currencyCode: 'EUR' }),
  },
  payouts: {
    'GET /payouts/{idPayout}': ({ payouts }, id) => payouts.retrieve(id),
  },
  account: {
    'GET /merchant-info': ({ merchantInfo }) => merchantInfo.retrieve(),
    'GET /balances': ({ balances }) => balances.list(),
    'GET /currencies': ({ currencies }) => currencies.list(),
    'GET /payment-operators': ({ paymentOperators }) => paymentOperators.list(),
  },
}

export async function checkRights(client: GatewayClient, say: Say): Promise<void> {
  for (const [family, operations] of Object.entries(families)) {
    const results: [string, CheckResult][] = []
    for (const [operation, ask] of Object.entries(operations))
      results.push([operation, await resultOf(ask(client, `doctor-${randomUUID()}`))])
    say(family, judgeFamily(family, results))
  }
}

/** Looking up a payment of a random id is allowed where it is answered 404. */
export function judgeFamily(family: string, results: readonly (readonly [string, CheckResult])[]): Judged {
  const isAccount = family === 'account'
  const allowed = isAccount ? ['none'] : ['none', 'not_found', 'invalid_request']
  const bad = results.filter(([, { code }]) => !allowed.includes(code))
  if (bad.length === 0) {
    const untried = isAccount ? '' : `; creating ${family} was not tried`
    return ok(`allowed: ${results.map(([operation]) => operation).join(', ')}${untried}`)
  }
  const message = bad.map(([operation, { said }]) => `${operation}: ${said}`).join('; ')
  const codes = bad.map(([, { code }]) => code)
  if (codes.includes('permission') || codes.includes('authentication'))
    return fail(message, `Ask the platform to allow your merchant account what you need of ${family}.`)
  if (codes.some((code) => code !== 'none' && errorCodes[code].from === 'network'))
    return fail(message, 'Try again; see the line on the connection.', exitCodes.unreachable)
  return warn(message, 'Look at it if you use this; the permission itself was not refused.')
}
