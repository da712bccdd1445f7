import type { FaultHandle, FaultOptions } from '../gateway/faults/fault.js'
import { type AtPayment, paidMoments, routeOf } from './case.js'
import type { Scene } from './scene.js'
import { sleep, stillMsOf } from './waiting.js'

/** How long an application may take to ask for the status by itself, before somebody looks at the order. */
const ASKS_MS = 1000
/** Less than what an application waits for a response. */
const OVERTAKEN_MS = 2000
const HELD_MS = 30_000

/** Lets the payment succeed, and does what the case does in that moment. */
export const happenings: Readonly<Record<AtPayment, (scene: Scene, pay: () => void) => Promise<void>>> = {
  // The callback's status request is answered beside that of the page.
  visit: async (scene, pay) => {
    const held = holdStatusRequests(scene, Number.POSITIVE_INFINITY)
    const beside = async () => {
      await scene.until(() => held.hits() > 1, OVERTAKEN_MS)
      held.letGo()
    }
    try {
      pay()
      await scene.until(() => held.hits() > 0, ASKS_MS)
      await Promise.all([scene.visit(), beside()])
    } finally {
      held.letGo()
    }
  },
  'stale status request': async (scene, pay) => {
    const { activity, part, payments } = scene
    const held = holdStatusRequests(scene)
    try {
      for (const payment of payments) payment.sendCallback()
      if (!(await held.arrives())) return scene.skip('no status request came before the payment')
      const before = activity.requests.length
      pay()
      const looks = scene.look()
      const isOvertaken = await scene.until(() => {
        const since = activity.requests.slice(before)
        return since.some(({ method, status }) => method === 'GET' && status === 200)
      }, OVERTAKEN_MS)
      if (!isOvertaken) scene.skip('the application has one status request at a time, which none overtakes')
      else await sleep(part.calmMs, part.signal)
      held.letGo()
      await looks
    } finally {
      held.letGo()
    }
  },
  'failed status requests': async (scene, pay) => {
    pay()
    const { calmMs, gateway, signal } = scene.part
    const fails = gateway.fault({
      ...statusRequestOf(scene),
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'status', status: 503, processed: false },
    })
    try {
      if (await arrives(fails, scene)) await sleep(calmMs, signal)
      else scene.miss('no status request came that could fail')
    } finally {
      fails.remove()
    }
  },
  kill: async (scene, pay) => {
    pay()
    const held = holdStatusRequests(scene)
    try {
      if (!(await held.arrives())) return scene.miss('no status request came at which to kill')
      const momentMs = paidMoments[scene.part.round]
      if (momentMs !== undefined) {
        held.letGo()
        await sleep(momentMs, scene.part.signal)
      }
      await scene.restart('is killed')
    } finally {
      held.letGo()
    }
  },
}

/** The response to the next status requests is made when they arrive, and leaves when it is let go. */
function holdStatusRequests(scene: Scene, times = 1) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const hold = scene.part.gateway.fault({
    ...statusRequestOf(scene),
    times,
    action: { kind: 'delay', ms: HELD_MS },
    until: () => opened,
  })
  return {
    hits: () => hold.hits,
    arrives: () => arrives(hold, scene),
    letGo: () => {
      open()
      hold.remove()
    },
  }
}

function statusRequestOf({ activity, part }: Scene): Pick<FaultOptions, 'match' | 'route'> {
  return { route: routeOf('status', part.reference.kind), match: (request) => activity.owns(request) }
}

/** Who is not called back, and does not ask, does when somebody looks. */
async function arrives(fault: FaultHandle, scene: Scene): Promise<boolean> {
  if (await scene.until(() => fault.hits > 0, ASKS_MS)) return true
  scene.ask().catch(() => {})
  return scene.until(() => fault.hits > 0, stillMsOf(scene.part))
}
