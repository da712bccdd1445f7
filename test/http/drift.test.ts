import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

let reportDrift: typeof import('../../src/http/drift.js')['reportDrift']

beforeEach(async () => {
  // What has been warned of is remembered for the life of the process.
  vi.resetModules()
  ;({ reportDrift } = await import('../../src/http/drift.js'))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const route = 'GET /payouts/{idPayout}'

describe('an answer that differs from what this version knows', () => {
  it('is told to whoever listens, and then nobody is warned', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const events: unknown[] = []
    const listener = (event: unknown) => events.push(event)
    subscribe('merchant-gateway:drift', listener)
    try {
      reportDrift(route, ['fee: expected object'])
      reportDrift(route, ['fee: expected object'])
    } finally {
      unsubscribe('merchant-gateway:drift', listener)
    }
    expect(events).toEqual([
      { route, issues: ['fee: expected object'] },
      { route, issues: ['fee: expected object'] },
    ])
    expect(warn).not.toHaveBeenCalled()
  })

  it('is warned of once for each field where nobody listens', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    reportDrift(route, ['fee: expected object', 'process.isTest: expected boolean'])
    reportDrift(route, ['fee: expected object'])
    expect(warn).toHaveBeenCalledTimes(2)
    expect(String(warn.mock.calls[0]?.[0])).toContain(`${route}: fee: expected object`)
  })

  it('is warned of a hundred times at most', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    for (let n = 0; n < 200; n++) reportDrift(route, [`data.${n}.name: expected string`])
    expect(warn).toHaveBeenCalledTimes(100)
  })
})
