import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Enter, runInside } from '../../../src/client/observe/run-inside.js'
import { turns } from '../../support/turns.js'

/** What contexts of others may do with the function that they get. */
const enters: Readonly<Record<string, Enter>> = {
  'runs it': (run) => run(),
  'throws before': () => {
    throw new Error('before')
  },
  'throws after': (run) => {
    run()
    throw new Error('after')
  },
  'runs it twice': (run) => {
    run()
    run()
  },
  'never runs it': () => {},
  'runs it later': (run) => queueMicrotask(run),
  'is async and runs it': async (run) => {
    run()
  },
  'is async and rejects': async () => {
    throw new Error('async')
  },
  'runs it inside a context of its own': (run) => new AsyncLocalStorage().run(1, run),
  // @ts-expect-error wrong on purpose
  'is no function': undefined,
  'returns something that only looks like a promise': () => {
    return Object.defineProperty({}, 'then', {
      get: () => {
        throw new Error('then')
      },
    })
  },
}

const anyNames = fc.array(fc.constantFrom(...Object.keys(enters)), { maxLength: 6 })
const entersOf = (names: readonly string[]) =>
  names.flatMap((name) =>
    Object.entries(enters)
      .filter(([one]) => one === name)
      .map(([, enter]) => enter),
  )

describe('a function that runs inside contexts of others', () => {
  it.each(Object.entries(enters))('runs exactly once in one that %s', async (_name, enter) => {
    const run = vi.fn(() => 'value')
    expect(runInside([enter], run)).toBe('value')
    await Promise.resolve()
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('runs exactly once whatever contexts there are, and its value comes through', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames, fc.anything(), async (names, value) => {
        const run = vi.fn(() => value)
        expect(runInside(entersOf(names), run)).toBe(value)
        await turns()
        expect(run).toHaveBeenCalledTimes(1)
      }),
    )
  })

  it('runs exactly once whatever contexts there are, and what it throws comes through', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames, fc.anything(), async (names, thrown) => {
        const run = vi.fn(() => {
          throw thrown
        })
        let caught: unknown = run
        try {
          runInside(entersOf(names), run)
        } catch (error) {
          caught = error
        }
        expect(caught).toBe(thrown)
        await turns()
        expect(run).toHaveBeenCalledTimes(1)
      }),
    )
  })

  it('runs exactly once when what it calls runs it again', () => {
    let again = () => {}
    const run = vi.fn(() => again())
    runInside(
      [
        (inner) => {
          again = inner
          inner()
        },
      ],
      run,
    )
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('is in every context that works, whatever the ones beside it do', () => {
    const outer = new AsyncLocalStorage<string>()
    const inner = new AsyncLocalStorage<string>()
    for (const [name, enter] of Object.entries(enters)) {
      const seen = runInside([(run) => outer.run('a', run), enter, (run) => inner.run('b', run)], () => [
        outer.getStore(),
        inner.getStore(),
      ])
      expect(seen, name).toEqual(['a', 'b'])
    }
    expect([outer.getStore(), inner.getStore()]).toEqual([undefined, undefined])
  })

  it('enters the first subscriber first', () => {
    const order: string[] = []
    const entering =
      (name: string): Enter =>
      (run) => {
        order.push(`into ${name}`)
        run()
        order.push(`out of ${name}`)
      }
    runInside([entering('a'), entering('b')], () => order.push('run'))
    expect(order).toEqual(['into a', 'into b', 'run', 'out of b', 'out of a'])
  })
})
