import type { Random } from '../simulation/world/random.js'
import type { ConnectionFault, WireFault } from './faults.js'

const endings = ['end', 'reset'] as const
const spoilt = ['nothing', 'a size', 'a size too large', 'no end', 'a line end', 'half'] as const
const strayBytes = ['x', '\r\n', 'HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\n{}'] as const
const sides = ['client', 'server'] as const
const certificates = ['expired', 'otherHost', 'unknown'] as const

/** About as many bytes as a request or a response has, a few beyond its end included. */
const mostBytes = 1300
/** Few, since each costs the whole time of an attempt. */
const stalls = 0.03

/** What goes wrong with the next request, by chance. */
export function drawFault(random: Random): WireFault {
  const by = random.chance(stalls) ? 'stall' : random.pick(endings)
  const at = random.whole(0, mostBytes)
  const kinds: readonly [() => WireFault, ...(() => WireFault)[]] = [
    () => ({ kind: 'request-ends', at, by }),
    () => ({ kind: 'early-answer', at, by, status: random.pick([200, 302, 422, 408, 413, 500, 503]) }),
    () => ({ kind: 'answer-ends', at: random.whole(0, 600), by }),
    () => ({ kind: 'drip', bytes: random.whole(1, 40) }),
    () => ({ kind: 'wrong-length', off: random.whole(-400, 400), by }),
    () => ({ kind: 'chunked', spoilt: random.pick(spoilt), by }),
    () => ({ kind: 'no-length', at: random.whole(0, 600), by: random.pick(endings) }),
    () => ({ kind: 'more', bytes: random.pick(strayBytes) }),
  ]
  return random.chance(stalls) ? { kind: 'late' } : random.pick(kinds)()
}

/** What goes wrong with the next connection, by chance. */
export function drawConnectionFault(random: Random, tls: boolean): ConnectionFault {
  const by = random.pick(endings)
  const plain: readonly [() => ConnectionFault, ...(() => ConnectionFault)[]] = [
    () => ({ kind: 'refused', by }),
    () => ({ kind: 'greeting', status: random.pick([200, 400, 408, 503]) }),
  ]
  if (!tls || random.chance(0.3)) return random.pick(plain)()
  return random.pick<() => ConnectionFault>([
    () => ({ kind: 'certificate', name: random.pick(certificates) }),
    () => ({ kind: 'plain-text' }),
    () => ({ kind: 'handshake-ends', after: random.pick(sides), at: random.whole(1, 1500), by }),
  ])()
}
