import {
  type Again,
  type Fault,
  type FaultKind,
  messageFaults,
  momentFaults,
  type Order,
  type Plan,
  type Settings,
  spacesEvenly,
} from './plan.js'
import { Random } from './world/random.js'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How much happens. */
export interface Amount {
  readonly days: number
  /** Payments a day. */
  readonly perDay: number
}

/** What a seed stands for. */
export function makePlan(seed: number, { days, perDay }: Amount): Plan {
  const random = new Random(`plan ${seed}`)
  const settings = makeSettings(random)
  const lengthMs = Math.round(days * dayMs)
  const faultsEndMs = lengthMs
  const orders = makeOrders(random, settings, lengthMs, Math.max(1, Math.round(days * perDay)))
  const faults = makeFaults(random, settings, orders, lengthMs)
  // Over a shared rate limit, little comes through to a gateway that refuses much, and callbacks end some day.
  const sweeps = settings.sweeps || (settings.rateLimit === 'shared' && spacesEvenly({ settings, faults }))
  return {
    seed,
    settings: { ...settings, sweeps },
    orders: [...orders, ...calmOrders(settings, orders.length, lengthMs)],
    faults,
    faultsEndMs,
  }
}

function makeSettings(random: Random): Settings {
  const rateLimit = random.pick(['alone', 'alone', 'shares', 'shared'] as const)
  const hosts = rateLimit === 'alone' ? 1 : random.whole(2, 4)
  return {
    hosts,
    rateLimit,
    limiter: random.pick([
      'sliding-window',
      'sliding-window',
      'fixed-window',
      'token-bucket',
      'evenly-spaced',
    ]),
    retryAfter: random.pick<false | 'seconds' | 'date'>([false, 'seconds', 'date']),
    baseMs: random.whole(1, 60),
    // Clocks that drift take the rest of the 80 that the client allows for.
    jitterMs: random.pick([0, 5, 40, 79]),
    timeoutMs: random.pick([2_000, 5_000, 30_000]),
    deadlineMs: random.pick([10_000, 30_000, 120_000]),
    retries: random.pick([0, 2, 4]),
    tokens: random.chance(0.1) ? 'per-payment' : 'per-family',
    tokenValiditySecs: random.pick([60, 900, 900, 3600]),
    seen: random.pick(['memory', 'stored']),
    sweeps: random.chance(0.5),
    payAfterMs: random.pick([500, 5_000, 60_000]),
    clocks: Array.from({ length: hosts + 2 }, () => ({
      rate: 1 + random.whole(-100, 100) / 1e6,
      aheadMs: random.whole(-20_000, 20_000),
    })),
  }
}

/** Customers come in bursts, and payouts at the end of the day. */
function makeOrders(random: Random, settings: Settings, lengthMs: number, count: number): Order[] {
  const orders: Order[] = []
  while (orders.length < count) {
    const burst = Math.min(
      count - orders.length,
      random.chance(0.3) ? random.whole(10, 60) : random.whole(1, 5),
    )
    const beginsMs = random.whole(0, lengthMs)
    const kind = random.chance(0.6) ? 'payin' : 'payout'
    for (let n = 0; n < burst; n++) {
      orders.push(makeOrder(random, settings, orders.length + 1, kind, beginsMs + random.whole(0, 3_000)))
    }
  }
  return orders
}

function makeOrder(
  random: Random,
  settings: Settings,
  number: number,
  kind: Order['kind'],
  atMs: number,
): Order {
  const isPayin = kind === 'payin'
  const givesId = !isPayin || random.chance(0.9)
  const again: Again[] = []
  while (givesId && random.chance(0.15)) {
    again.push({
      afterMs: random.chance(0.5) ? random.whole(0, 500) : random.whole(0, 60_000),
      host: random.whole(0, settings.hosts - 1),
      ...(isPayin && random.chance(0.3) ? { amount: random.whole(100, 99_999) / 100 + 1_000 } : {}),
    })
  }
  return {
    number,
    kind,
    atMs,
    host: random.whole(0, settings.hosts - 1),
    amount: random.whole(100, 99_999) / 100,
    givesId,
    ...(isPayin && random.chance(0.15) ? { abortAfterMs: random.whole(0, random.pick([300, 3_000])) } : {}),
    ...(isPayin && random.chance(0.3) ? { waitMs: random.pick([1_000, 30_000, 300_000]) } : {}),
    again,
  }
}

/** Ordered a quarter of an hour after the last fault. */
function calmOrders(settings: Settings, taken: number, lengthMs: number): Order[] {
  return Array.from({ length: 2 * settings.hosts }, (_, n) => ({
    number: taken + n + 1,
    kind: n % 2 === 0 ? ('payin' as const) : ('payout' as const),
    atMs: lengthMs + 15 * minuteMs + n * 500,
    host: n % settings.hosts,
    amount: 10 + n,
    givesId: true,
    again: [],
    isCalm: true,
  }))
}

/** Most faults begin where something is going on, since nothing can go wrong elsewhere. */
function makeFaults(random: Random, settings: Settings, orders: readonly Order[], lengthMs: number): Fault[] {
  const [first, ...rest] = orders
  if (first === undefined) return []
  const kinds: readonly [FaultKind, ...FaultKind[]] = ['crash', ...messageFaults, ...momentFaults]
  // Each seed has its own bad luck: a few kinds of it, more often.
  const bad = Array.from({ length: random.whole(2, 8) }, () => random.pick(kinds))
  const [worst = 'crash', ...others] = bad
  const faults: Fault[] = []
  for (let count = random.whole(0, 2 + Math.ceil(orders.length / 3)); count > 0; count--) {
    const { atMs: orderedMs } = random.pick([first, ...rest])
    const kind = random.chance(0.2) ? random.pick(kinds) : random.pick([worst, ...others])
    const forMs = lengthOf(kind, random)
    // One thing comes with another.
    const before = random.chance(0.4) ? faults.at(-1) : undefined
    const atMs = before?.atMs ?? orderedMs + random.whole(-2_000, 8_000)
    faults.push({
      kind,
      atMs: Math.max(0, Math.min(lengthMs - forMs, atMs)),
      forMs,
      share: random.pick([0.1, 0.5, 0.5, 1]),
      ...(random.chance(0.3) ? { host: random.whole(0, settings.hosts - 1) } : {}),
      variant: random.whole(0, 11),
    })
  }
  return faults
}

function lengthOf(kind: FaultKind, random: Random): number {
  if (kind === 'freeze') return random.whole(20, 8_000)
  if (kind === 'crash' || kind === 'deploy') return random.whole(1_500, 30_000)
  return random.pick([
    random.whole(50, 2_000),
    random.whole(1_000, 30_000),
    random.whole(30_000, 10 * minuteMs),
  ])
}
