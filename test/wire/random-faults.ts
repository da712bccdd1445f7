import { Random } from '../simulation/world/random.js'
import { atOnce } from './at-once.js'
import type { Certificates } from './certificates.js'
import { drawConnectionFault, drawFault } from './draw-fault.js'
import type { Report } from './every-byte.js'
import { Judge, type Order } from './judge.js'
import { setUp, type Way } from './setup.js'

/** How often something goes wrong. */
const chances = { exchange: 0.4, connection: 0.15, idle: 0.05, abort: 0.05 } as const

const kinds = ['payin', 'payout'] as const
const endings = ['end', 'reset'] as const

/**
 * So many creates, over faults that a seed draws: with and without retries, some given up by their callers. Then
 * all of them again, without faults. Sockets take their own time, so a seed repeats the faults that a request
 * meets, and not the order of what happens.
 */
export async function randomFaults(
  way: Way,
  certificates: Certificates,
  creates: number,
  seed: number,
): Promise<Report> {
  const asked = new Map<string, number>()
  let isCalm = false
  let connections = 0
  let faults = 0
  await using setup = await setUp(way, certificates, {
    faultOf({ method, path }) {
      const count = asked.get(`${method} ${path}`) ?? 0
      asked.set(`${method} ${path}`, count + 1)
      const random = new Random(`${seed} ${method} ${path} ${count}`)
      if (isCalm || !random.chance(chances.exchange)) return undefined
      faults++
      return drawFault(random)
    },
    connectionFault() {
      const random = new Random(`${seed} connection ${connections++}`)
      if (isCalm || !random.chance(chances.connection)) return undefined
      faults++
      return drawConnectionFault(random, way.tls)
    },
  })
  const { gateway, sandbox } = setup
  const judge = new Judge(sandbox)
  const limits = { timeoutMs: 800, deadlineMs: 10_000 }
  const clients = [setup.client({ ...limits, retries: 0 }), setup.client({ ...limits, retries: 2 })] as const
  const orders = Array.from({ length: creates }, (_, number): Order => {
    const random = new Random(`${seed} order ${number}`)
    const kind = random.pick(kinds)
    return random.chance(0.75) ? { number, kind, id: `order-${seed}-${number}` } : { number, kind }
  })
  const ends: Record<string, number> = {}
  await atOnce(32, orders, async (order) => {
    const random = new Random(`${seed} call ${order.number}`)
    const controller = new AbortController()
    const call = judge.create(random.pick(clients), order, { signal: controller.signal })
    if (random.chance(chances.idle)) gateway.endIdle(random.pick(endings))
    const timer = random.chance(chances.abort)
      ? setTimeout(() => controller.abort(), random.whole(0, 30))
      : undefined
    const { outcome } = await call
    clearTimeout(timer)
    ends[outcome] = (ends[outcome] ?? 0) + 1
  })
  isCalm = true
  await gateway.quiet()
  // On a busy machine a client in a hurry would give up, try again and find its own payment.
  const patient = setup.client({ timeoutMs: 25_000, deadlineMs: 29_000 })
  await atOnce(32, orders, (order) => judge.repeat(patient, order))
  judge.end()
  const outcomes = Object.entries(ends)
    .sort()
    .map(([outcome, count]) => `${count} ${outcome}`)
  return {
    figures: `${creates} creates over ${faults} faults (${outcomes.join(', ')}), all repeated`,
    violations: judge.violations,
  }
}
