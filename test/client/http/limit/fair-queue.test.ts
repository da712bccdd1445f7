import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { FairQueue, type Queued } from '../../../../src/client/http/limit/fair-queue.js'
import type { Priority } from '../../../../src/index.js'

const priorities: readonly Priority[] = ['token', 'customer', 'background']

/** A request as "priority flow since". */
function requestOf(text: string): Queued {
  const [name, flow = '', since = '0'] = text.split(' ')
  const priority = priorities.find((one) => one === name)
  if (priority === undefined) throw new Error(`no priority ${name}`)
  return { priority, flow, since: Number(since) }
}

function queueOf(...requests: readonly string[]): FairQueue<Queued> {
  const queue = new FairQueue<Queued>()
  for (const request of requests) queue.add(requestOf(request))
  return queue
}

function* served<T extends Queued>(queue: FairQueue<T>): Generator<T, undefined> {
  for (let next = queue.take(); next !== undefined; next = queue.take()) yield next
}

const many = (count: number, request: string) => Array.from({ length: count }, () => request)
const flowsOf = (queue: FairQueue<Queued>) => Array.from(served(queue), ({ flow }) => flow)

describe('the next permit goes', () => {
  it('to a token, then to customers, then to the background', () => {
    const queue = queueOf('background poll', 'customer create', 'token mint', 'customer read')
    expect(flowsOf(queue)).toEqual(['mint', 'create', 'read', 'poll'])
  })

  it('to callbacks before the rest of the background', () => {
    expect(flowsOf(queueOf('background poll', 'background callback'))).toEqual(['callback', 'poll'])
  })

  it.each<readonly [string, string, number]>([
    ['token mint', 'customer create', 2],
    ['customer create', 'background callback', 9],
    ['customer create', 'background poll', 10],
    ['background callback', 'background payouts.create', 10],
  ])('to %s before %s, but for one in %i', (first, second, oneIn) => {
    const queue = queueOf(...many(100, first), ...many(100, second))
    const { flow } = requestOf(second)
    const places = flowsOf(queue).flatMap((one, n) => (one === flow ? [n + 1] : []))
    expect(places.slice(0, 3)).toEqual([oneIn, 2 * oneIn, 3 * oneIn])
  })

  it('to callbacks and to the rest of the background in one of ten each, while all wait', () => {
    const requests = ['token mint', 'customer create', 'background callback', 'background poll']
    const order = flowsOf(queueOf(...requests.flatMap((request) => many(1000, request)))).slice(0, 1000)
    const count = (flow: string) => order.filter((one) => one === flow).length
    expect([count('mint'), count('create'), count('callback'), count('poll')]).toEqual([400, 400, 100, 100])
  })

  it('to the other flows of its priority before the same one has it again', () => {
    const queue = queueOf(...many(1000, 'customer payouts.create'), ...many(2, 'customer payins.create'))
    queue.add(requestOf('customer payins.retrieve'))
    expect(flowsOf(queue).slice(0, 6)).toEqual([
      'payouts.create',
      'payins.create',
      'payins.retrieve',
      'payouts.create',
      'payins.create',
      'payouts.create',
    ])
  })

  it('to the call that began first, also where it comes back for a retry', () => {
    const queue = queueOf(
      'customer create 20',
      'customer create 30',
      'customer create 10',
      'customer create 20',
    )
    expect(Array.from(served(queue), ({ since }) => since)).toEqual([10, 20, 20, 30])
  })
})

test('whoever leaves before its turn is not served', () => {
  const queue = queueOf('customer create 1')
  const gone = requestOf('customer create 2')
  queue.add(gone)
  queue.add(requestOf('customer create 3'))
  queue.remove(gone)
  queue.remove(gone)
  expect(queue.size).toBe(2)
  expect(Array.from(served(queue), ({ since }) => since)).toEqual([1, 3])
})

describe('whatever comes and goes', () => {
  const request = fc.record({
    priority: fc.constantFrom(...priorities),
    flow: fc.constantFrom('callback', 'poll', 'create'),
    since: fc.nat(20),
  })

  it('no permit is lost while somebody waits, and nobody has two', () => {
    const steps = fc.array(fc.oneof(request, fc.constantFrom('take', 'leave')), { maxLength: 200 })
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new FairQueue<Queued>()
        const waiting: Queued[] = []
        for (const step of all) {
          if (step === 'take') {
            const next = queue.take()
            expect(next === undefined).toBe(waiting.length === 0)
            if (next !== undefined) expect(waiting.splice(waiting.indexOf(next), 1)).toEqual([next])
          } else if (typeof step === 'string') {
            const [one] = waiting.splice(waiting.length >> 1, 1)
            if (one !== undefined) queue.remove(one)
          } else {
            waiting.push(step)
            queue.add(step)
          }
          expect(queue.size).toBe(waiting.length)
          for (const priority of priorities) {
            expect(queue.depth(priority)).toBe(waiting.filter((one) => one.priority === priority).length)
          }
          expect(queue.isAllBackground).toBe(waiting.every((one) => one.priority === 'background'))
        }
      }),
    )
  })

  it('a priority that waits is passed over so often in a row, and no more', () => {
    const most: Record<Priority, number> = { token: 4, customer: 4, background: 10 }
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), (all) => {
        const queue = new FairQueue<Queued>()
        for (const one of all) queue.add({ ...one })
        const passedOver: Record<Priority, number> = { token: 0, customer: 0, background: 0 }
        for (const next of served(queue)) {
          for (const priority of priorities) {
            const isPassedOver = priority !== next.priority && queue.depth(priority) > 0
            passedOver[priority] = isPassedOver ? passedOver[priority] + 1 : 0
            expect(passedOver[priority], priority).toBeLessThan(most[priority])
          }
        }
      }),
    )
  })
})
