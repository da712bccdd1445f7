import { expect, test } from 'vitest'
import { Machine } from './world/machine.js'
import { Scheduler } from './world/scheduler.js'

const exact = { rate: 1, aheadMs: 0 }

function worldOf() {
  const nature = new Machine('nature', 'seed', 0, exact)
  const host = new Machine('host', 'seed', 1_000_000, { rate: 1.5, aheadMs: 60 })
  const scheduler = new Scheduler(nature)
  const happened: string[] = []
  const at = (machine: Machine, ms: number, what: string) =>
    scheduler.schedule(machine, ms, () => happened.push(`${scheduler.now} ${what}`))
  const run = (until: number) => scheduler.run(until, () => false)
  return { nature, host, scheduler, happened, at, run }
}

test('events happen in the order of their times, and those of one moment in the order in which they were made', async () => {
  const { nature, host, happened, at, run } = worldOf()
  at(nature, 20, 'third')
  at(host, 10, 'first')
  at(nature, 10, 'second')
  at(nature, 31, 'too late')
  await run(30)
  expect(happened).toEqual(['10 first', '10 second', '20 third'])
})

test('what follows from an event without time passing, follows before the next', async () => {
  const { nature, scheduler, happened, at, run } = worldOf()
  scheduler.schedule(nature, 5, () => {
    void Promise.resolve()
      .then(() => undefined)
      .then(() => happened.push(`${scheduler.now} followed`))
  })
  at(nature, 5, 'next')
  await run(10)
  expect(happened).toEqual(['5 followed', '5 next'])
})

test('a machine that has crashed does nothing of what it had begun, also when it has started again', async () => {
  const { nature, host, scheduler, happened, at, run } = worldOf()
  at(host, 10, 'of the life before')
  scheduler.schedule(nature, 5, () => {
    host.crash()
    host.boot(scheduler.now)
    at(host, 10, 'of this life')
  })
  await run(100)
  expect(happened).toEqual(['15 of this life'])
  expect(host.monotonic(15)).toBe(15)
  expect(host.wall(20)).toBe(1_000_090)
})

test('a machine that stands still hears everything afterwards, in its order', async () => {
  const { nature, host, happened, at, run } = worldOf()
  host.frozenUntil = 50
  at(host, 10, 'one')
  at(nature, 20, 'of another machine')
  at(host, 30, 'two')
  await run(100)
  expect(happened).toEqual(['20 of another machine', '50 one', '50 two'])
})

test('no time passes while work outside of the simulation goes on', async () => {
  const { nature, scheduler, happened, at, run } = worldOf()
  let isDone = false
  scheduler.schedule(nature, 5, () =>
    scheduler.hold(
      new Promise<void>((resolve) =>
        setImmediate(() =>
          setImmediate(() => {
            isDone = true
            resolve()
          }),
        ),
      ),
    ),
  )
  scheduler.schedule(nature, 5, () => happened.push(`done: ${isDone}`))
  at(nature, 6, 'later')
  await run(10)
  expect(happened).toEqual(['done: true', '6 later'])
})
