import type { CallOptions } from '../../src/index.js'
import { turns } from '../support/turns.js'
import { atOnce } from './at-once.js'
import { connectionCases, exchangeCases } from './cases.js'
import type { Certificates } from './certificates.js'
import type { ConnectionFault, WireFault } from './faults.js'
import { Judge, type Order } from './judge.js'
import { setUp, type Way } from './setup.js'

/** What a part of the campaign came to. */
export interface Report {
  /** In a few words. */
  readonly figures: string
  readonly violations: readonly string[]
}

/**
 * Each fault once, at every byte or at each so many, over a create without a retry: what it may say is known of
 * each. Then all of them again, without faults.
 */
export async function everyByte(way: Way, certificates: Certificates, step: number): Promise<Report> {
  const faults = new Map<string, WireFault>()
  let connectionFault: ConnectionFault | undefined
  let met = 0
  let missed = 0
  await using setup = await setUp(way, certificates, {
    faultOf({ method, path }) {
      const fault = method === 'POST' ? faults.get(path) : undefined
      faults.delete(path)
      return fault
    },
    connectionFault() {
      met++
      return connectionFault
    },
  })
  const { gateway, sandbox } = setup
  const judge = new Judge(sandbox)
  const client = setup.client({ retries: 0, timeoutMs: 60_000 })
  const orders: Order[] = []
  const next = (kind: Order['kind'] = orders.length % 2 === 0 ? 'payin' : 'payout') => {
    const number = orders.length
    // As long as all others, so that answers are.
    const order = { number, kind, id: `order-${100_000 + number}` }
    orders.push(order)
    return order
  }
  const expected = (order: Order, fault: object, says: readonly string[], said: string) => {
    if (says.includes(said)) return
    judge.violations.push(
      `${order.kind} ${order.number}: ${JSON.stringify(fault)} was '${said}', not ${says.join(' or ')}`,
    )
  }

  for (const kind of ['payin', 'payout'] as const) {
    // Now there is a token, and the lengths are known.
    await judge.create(client, next(kind))
    await atOnce(8, exchangeCases({ ...gateway.last }, step), async ({ fault, says }) => {
      const order = next(kind)
      const path = `/${kind}s/${order.id}`
      faults.set(path, fault)
      const { outcome } = await judge.create(client, order, optionsFor(fault))
      // One that it did not meet: it went out on a connection that had just ended with a case before.
      if (faults.delete(path)) missed++
      else expected(order, fault, says, outcome)
    })
  }
  for (const { fault, says } of connectionCases(way, step)) {
    gateway.endIdle('reset')
    await turns(10)
    const before = met
    connectionFault = fault
    const order = next()
    const { outcome } = await judge.create(client, order, optionsFor(fault))
    if (met === before) missed++
    else expected(order, fault, says, outcome)
    connectionFault = undefined
  }
  await closedAtThatMoment()
  await gateway.quiet()
  await atOnce(8, orders, (order) => judge.repeat(client, order))
  judge.end()
  return {
    figures: `${orders.length} creates, ${missed} of them on a connection that had ended`,
    violations: judge.violations,
  }

  /** A connection that is kept ends while the next request is on its way into it. */
  async function closedAtThatMoment(): Promise<void> {
    for (let moment = -2; moment < 8; moment++) {
      for (const by of ['end', 'reset'] as const) {
        await judge.create(client, next())
        await turns(3)
        if (moment < 0) gateway.endIdle(by)
        if (moment === -2) await turns(1)
        const call = judge.create(client, next())
        await turns(Math.max(0, moment))
        if (moment >= 0) gateway.endIdle(by)
        await call
      }
    }
  }
}

/** Where no response will come, there is no use in waiting for it. */
function optionsFor(fault: WireFault | ConnectionFault): CallOptions {
  const isSilent = fault.kind === 'late' || ('by' in fault && fault.by === 'stall')
  return isSilent ? { timeoutMs: 500 } : {}
}
