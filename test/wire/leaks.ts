import { getEventListeners } from 'node:events'
import { Random } from '../simulation/world/random.js'
import { turns } from '../support/turns.js'
import { atOnce } from './at-once.js'
import type { Certificates } from './certificates.js'
import { drawConnectionFault, drawFault } from './draw-fault.js'
import type { Report } from './every-byte.js'
import { setUp, type Way } from './setup.js'

/** What a process holds. */
interface Held {
  readonly heapBytes: number
  /** Sockets, timers and the like that keep the process going. */
  readonly handles: number
  readonly listeners: number
}

/** From the first quarter to the last one: what the engine's own caches and a measurement's noise come to. */
const mostGrowth: Held = { heapBytes: 2 * 1024 * 1024, handles: 4, listeners: 0 }
/** Calls in which something goes wrong, whole connections included. */
const faultChance = 0.1

/**
 * So many calls of every kind, a tenth of them over a fault, and what the process holds after each quarter of
 * them. The gateway keeps little, so that what grows is the client's.
 */
export async function leaks(
  way: Way,
  certificates: Certificates,
  calls: number,
  seed: number,
): Promise<Report> {
  const random = new Random(`leaks ${seed}`)
  const goesWrong = () => random.chance(faultChance / 2)
  await using setup = await setUp(
    way,
    certificates,
    {
      faultOf: () => (goesWrong() ? withoutSilence(random) : undefined),
      connectionFault: () => (goesWrong() ? drawConnectionFault(random, way.tls) : undefined),
    },
    { maxPayments: 100, maxLogged: 0 },
  )
  const { gateway } = setup
  const controller = new AbortController()
  const client = setup.client({ retries: 0, timeoutMs: 5000 })
  const quarter = Math.ceil(calls / 4)
  const measured: Held[] = []
  let failed = 0
  for (let part = 0; part < 4; part++) {
    const numbers = Array.from({ length: quarter }, (_, index) => part * quarter + index)
    await atOnce(16, numbers, async (number) => {
      const options = { signal: controller.signal }
      const id = `order-${number % 1000}`
      const call =
        number % 3 === 0
          ? client.currencies.list(options)
          : number % 3 === 1
            ? client.payouts.retrieve(id, options)
            : client.payins.create(
                {
                  idPayin: id,
                  paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
                  paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
                },
                options,
              )
      await call.catch(() => failed++)
    })
    gateway.endIdle('end')
    measured.push(await held(controller.signal))
  }
  const [first, , , last] = measured
  if (first === undefined || last === undefined) throw new Error('nothing was measured')
  const violations = (['heapBytes', 'handles', 'listeners'] as const).flatMap((name) =>
    last[name] - first[name] > mostGrowth[name]
      ? [`${name} grew from ${first[name]} to ${last[name]}, by more than ${mostGrowth[name]}`]
      : [],
  )
  const all = (name: keyof Held, unit = 1) =>
    measured.map((one) => (one[name] / unit).toFixed(unit === 1 ? 0 : 2)).join(', ')
  return {
    figures: `${quarter * 4} calls, ${failed} of them failed; after each quarter: heap ${all('heapBytes', 1024 * 1024)} MiB, handles ${all('handles')}, listeners ${all('listeners')}`,
    violations,
  }
}

function withoutSilence(random: Random) {
  for (;;) {
    const fault = drawFault(random)
    if (fault.kind !== 'late' && !('by' in fault && fault.by === 'stall')) return fault
  }
}

/** After all that can be collected has been. */
async function held(signal: AbortSignal): Promise<Held> {
  for (let time = 0; time < 5; time++) {
    await turns(20)
    globalThis.gc?.()
  }
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return {
    heapBytes: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    listeners: ofProcess + getEventListeners(signal, 'abort').length,
  }
}
