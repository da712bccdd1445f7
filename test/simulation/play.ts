import { Gateway } from './gateway/gateway.js'
import { signTokensAtOnce } from './gateway/web-crypto.js'
import { Judge } from './judge/judge.js'
import type { Violation } from './judge/rules.js'
import { isWell, judgeTheEnd } from './judge/the-end.js'
import { idOf } from './merchant/asking.js'
import { Database } from './merchant/database.js'
import { FrontDoor } from './merchant/front-door.js'
import { Host } from './merchant/host.js'
import { JobQueue } from './merchant/queue.js'
import { SimulatedRateLimitStore } from './merchant/rate-limit-store.js'
import type { Order, Plan } from './plan.js'
import { strike } from './strike.js'
import type { Scheduler } from './world/scheduler.js'
import { installVirtualTime } from './world/virtual-time.js'
import { World } from './world/world.js'

/** What a plan came to. */
export interface Played {
  readonly violations: readonly Violation[]
  /** Hash of all that happened. */
  readonly digest: string
  readonly payments: number
  readonly requests: number
  readonly events: number
  readonly simulatedMs: number
  readonly lines: readonly string[]
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** What has not come to its end so long after the last fault never will. */
const patienceMs = dayMs
const firstEpochMs = 1_767_225_600_000

let current: Scheduler | undefined
let runs = 0

signTokensAtOnce()
installVirtualTime(() => {
  if (current === undefined) throw new Error('no world is being played')
  return current
})

/** Plays a plan to its end, or to the first thing that must not be. */
export async function play(plan: Plan, keepsTrace = false): Promise<Played> {
  // A time of its own for each: what one run left in the process is long over in the next.
  const epochMs = firstEpochMs + runs++ * (Math.ceil(plan.faultsEndMs / dayMs) + 3) * dayMs
  // Errors are values here, and their stacks cost more than all else.
  Error.stackTraceLimit = keepsTrace ? 20 : 0
  const world = new World(plan, epochMs, keepsTrace)
  const { scheduler, trace } = world
  current = scheduler
  const { judge, gateway } = await playIn(world)
  return {
    violations: judge.violations,
    digest: trace.digest(),
    payments: judge.accepted.size,
    requests: gateway.requests,
    events: scheduler.count,
    simulatedMs: scheduler.now,
    lines: trace.lines,
  }
}

async function playIn(world: World): Promise<{ judge: Judge; gateway: Gateway }> {
  const { plan, nature, scheduler } = world
  const judge = new Judge(world)
  const door: FrontDoor = new FrontDoor({ world, judge, gateway: () => gateway, hosts: () => hosts })
  const gateway: Gateway = new Gateway(world, judge, (callback) => door.deliver(callback))
  const database = new Database(world)
  const rateLimitStore = new SimulatedRateLimitStore(world)
  const hosts: readonly Host[] = world.hosts.map(
    (machine, host) => new Host({ world, judge, gateway, database, rateLimitStore, host }, machine),
  )
  const queue = new JobQueue(world, (run, report) => {
    const host = door.someHost(`job ${run.key} ${run.starts}`)
    if (host === undefined) return false
    world.at(host.machine, 2, () =>
      host.run(run, (verdict) => world.at(world.store, 2, () => report(verdict))),
    )
    return true
  })
  for (const host of hosts) host.start()
  for (const order of plan.orders) world.at(nature, order.atMs, () => take(order, { world, hosts, queue }))
  const targets = { world, gateway, hosts, rateLimitStore }
  for (const fault of plan.faults) world.at(nature, fault.atMs, () => strike(targets, fault))

  const isBroken = () => judge.violations.length > 0
  const unhandled = (error: unknown) => judge.violated('nothing is thrown that is not ours', String(error))
  process.on('unhandledRejection', unhandled)
  try {
    const parts = { plan, judge, database, queue }
    const lastMs = Math.max(plan.faultsEndMs, ...plan.orders.map(({ atMs }) => atMs))
    let isOver = false
    const look = () => {
      isOver = isWell(parts)
      if (!isOver) world.at(nature, minuteMs, look)
    }
    world.at(nature, lastMs + minuteMs, look)
    await scheduler.run(lastMs + patienceMs, () => isOver || isBroken())
    if (isBroken()) return { judge, gateway }
    judgeTheEnd(parts)
    let stopped = 0
    for (const host of hosts) host.stop(() => stopped++)
    await scheduler.run(scheduler.now + hourMs, () => stopped === hosts.length || isBroken())
    return { judge, gateway }
  } finally {
    process.off('unhandledRejection', unhandled)
  }
}

interface Merchant {
  readonly world: World
  readonly hosts: readonly Host[]
  readonly queue: JobQueue
}

/** Somebody orders, and does so again where the plan says it. */
function take(order: Order, merchant: Merchant): void {
  const { world, queue } = merchant
  for (const [n, { afterMs, host, amount = order.amount }] of order.again.entries()) {
    world.at(world.nature, afterMs, () => {
      if (order.kind === 'payout') queue.add(`${idOf(order)}#${n + 1}`, order)
      else on(host, merchant, (there) => there.again(order, amount))
    })
  }
  if (order.kind === 'payout') queue.add(idOf(order), order)
  else on(order.host, merchant, (there) => there.order(order))
}

/** On that host; as soon as it is up. */
function on(number: number, merchant: Merchant, act: (host: Host) => void): void {
  const { world, hosts } = merchant
  const host = hosts[number % hosts.length]
  if (host?.isUp === true) act(host)
  else world.at(world.nature, 1_000, () => on(number, merchant, act))
}
