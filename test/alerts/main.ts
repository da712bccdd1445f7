import { instrumentGateway } from '../../src/opentelemetry/index.js'
import { signTokensAtOnce } from '../simulation/gateway/web-crypto.js'
import { makePlan } from '../simulation/make-plan.js'
import type { Scheduler } from '../simulation/world/scheduler.js'
import { installVirtualTime } from '../simulation/world/virtual-time.js'
import { World } from '../simulation/world/world.js'
import { Recorder, type Series } from './series.js'
import { Shop } from './shop.js'
import { dayMs, type Story } from './story.js'

let current: Scheduler | undefined

signTokensAtOnce()
installVirtualTime(() => {
  if (current === undefined) throw new Error('no world is being played')
  return current
})

/** Plays a story on a simulated clock; what Prometheus would have of it, in parts of a month. */
export async function play(story: Story): Promise<Series[][]> {
  const plan = makePlan(1, { days: 1, perDay: 1 })
  const settings = { ...plan.settings, hosts: 1, clocks: [], baseMs: 20, jitterMs: 0 }
  const world = new World({ ...plan, settings, orders: [], faults: [] }, 1_767_225_600_000, false)
  const { scheduler } = world
  const [host] = world.hosts
  if (host === undefined) throw new Error('there is no host')
  current = scheduler
  host.boot(0)

  const recorder = new Recorder()
  const stop = scheduler.as(host, () =>
    instrumentGateway({ meterProvider: { getMeter: () => recorder.meter } }),
  )
  const look = () => {
    recorder.look()
    world.at(host, story.everyMs, look)
  }
  world.at(host, 0, () => {
    new Shop(world, story).open()
    look()
  })
  await scheduler.run(story.days * dayMs - 1, () => false)
  stop()
  const looksADay = dayMs / story.everyMs
  return recorder.written(30 * looksADay, 2 * looksADay)
}
