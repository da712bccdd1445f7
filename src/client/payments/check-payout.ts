import type { PayoutCreateInput } from '../schemas/payouts.js'
import { prepareCreate } from './requests.js'

/**
 * Checks a payout as `payouts.create` does before anything is sent, and sends nothing: for whole files and
 * queues of payouts, of which none is to be sent while one is wrong.
 *
 * @param request as for `payouts.create`. Amounts are in the currency's main unit.
 * @throws {InvalidInputError} naming the field that is certainly wrong, or that this version doesn't know.
 * @example
 * for (const request of requests) checkPayout(request)
 * for (const request of requests) await client.payouts.create(request)
 */
export function checkPayout(request: PayoutCreateInput): void {
  prepareCreate('payout', request)
}
