import { assemble } from '../../packages/sandbox/src/gateway/assemble.js'
import { normaliseOptions } from '../../packages/sandbox/src/gateway/normalise-options.js'
import type { GatewayRequest } from '../../packages/sandbox/src/gateway/wire/request.js'
import type { DeliverCallback } from '../../packages/sandbox/src/index.js'
import { publicKey } from '../simulation/gateway/keys.js'
import { broken, requestOf, wholeResponse } from '../simulation/gateway/wire.js'
import type { World } from '../simulation/world/world.js'
import { hourMs, minuteMs } from './story.js'

/** Amounts that the gateway does something else with. */
export const amounts = { abandoned: 4003, overNight: 4004 }

/** What becomes of a request: it comes through, its answer is lost, or there is no connection. */
export type Fate = 'through' | 'answer-lost' | 'refused'

/** The sandbox as a machine of the simulation, and the way there from the merchant's one host. */
export function makeGateway(
  world: World,
  host: World['here'],
  deliver: DeliverCallback,
  fateOf: (request: GatewayRequest) => Fate,
) {
  const { scheduler, gateway: machine } = world
  const options = {
    deliver,
    seed: 1,
    merchantCode: 'M-0001',
    publicKeys: [publicKey],
    payinMethods: ['BANK_TRANSFER'],
    payAfterMs: 5_000,
    payJitterMs: minuteMs,
    expireAfterMs: hourMs / 2,
    maxLogged: 0,
    magicAmounts: [
      // A payin expires; a payout stands until somebody settles it.
      { amount: amounts.abandoned, meaning: 'It stays pending.', outcome: null },
      {
        amount: amounts.overNight,
        meaning: 'It takes twenty hours.',
        outcome: 'SUCCESS',
        afterMs: 20 * hourMs,
      },
    ],
  }
  const parts = scheduler.as(machine, () => assemble(normaliseOptions(options)))

  async function answer(request: GatewayRequest) {
    const { reply, end } = parts.engine.handle(request)
    scheduler.hold(reply)
    const response = await reply
    end(true)
    return wholeResponse({ ...response, isGateways: true })
  }
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = requestOf(String(input), init)
    const fate = fateOf(request)
    return new Promise((resolve, reject) => {
      if (fate === 'refused') return world.at(host, 20, () => reject(broken('ECONNREFUSED')))
      world.at(machine, 20, () => {
        void answer(request).then((response) => {
          if (fate === 'through') world.at(host, 20, () => resolve(response))
        })
      })
    })
  }
  return { ...parts, fetch }
}
