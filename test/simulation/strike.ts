import type { Gateway } from './gateway/gateway.js'
import type { Host } from './merchant/host.js'
import type { SimulatedRateLimitStore } from './merchant/rate-limit-store.js'
import { type Fault, limiters } from './plan.js'
import type { World } from './world/world.js'

/** What a fault can strike. */
export interface Targets {
  readonly world: World
  readonly gateway: Gateway
  readonly hosts: readonly Host[]
  readonly rateLimitStore: SimulatedRateLimitStore
}

/** A fault that happens at a moment happens. Those of messages wait for theirs. */
export function strike({ world, gateway, hosts, rateLimitStore }: Targets, fault: Fault): void {
  const { kind, host: number, forMs, variant } = fault
  const { scheduler, nature, spells, now } = world
  const luck = spells.luck(`strike ${kind}`)
  const host = hosts[(number ?? luck.whole(0, hosts.length - 1)) % hosts.length]
  if (host === undefined) return
  const { machine } = host
  const after = (happen: () => void) => world.at(nature, forMs, happen)
  switch (kind) {
    case 'crash':
      if (!machine.isUp) return
      host.crash()
      after(() => host.start())
      return
    case 'deploy':
      host.stop(() => after(() => host.start()))
      return
    case 'freeze':
      machine.frozenUntil = Math.max(machine.frozenUntil, now + forMs)
      return
    case 'clock-set': {
      const clock = luck.chance(0.3) ? world.gateway : machine
      // Within the five minutes that the gateway takes a signature for.
      const byMs = luck.whole(-40_000, 40_000)
      clock.setClock(byMs)
      after(() => clock.setClock(-byMs))
      return
    }
    case 'gateway-down':
      gateway.isReachable = false
      after(() => {
        gateway.isReachable = true
      })
      return
    case 'tokens-revoked':
      gateway.revokeTokens()
      return
    case 'limiter-changed':
      scheduler.as(world.gateway, () =>
        gateway.changeLimiter(limiters[variant % limiters.length] ?? 'sliding-window'),
      )
      return
    case 'rate-limit-store-forgets':
      rateLimitStore.forget()
      return
    default:
  }
}
