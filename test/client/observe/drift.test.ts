import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type DriftEvent, onGatewayEvent } from '../../../src/index.js'

let Observer: typeof import('../../../src/client/observe/observer.js')['Observer']

beforeEach(async () => {
  // What has been warned of is remembered for the life of the process.
  vi.resetModules()
  ;({ Observer } = await import('../../../src/client/observe/observer.js'))
})

const route = 'GET /payouts/{idPayout}'
const settings = { origin: 'https://gateway.example', basePath: '', logger: undefined, slowCallMs: 10_000 }
const quiet = () => vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)

describe('a response that differs from what this version knows', () => {
  it('is told to whoever listens, and then nobody is warned', () => {
    const warn = quiet()
    const events: DriftEvent[] = []
    const stop = onGatewayEvent('merchant-gateway:drift', (event) => events.push(event))
    try {
      const observer = new Observer(settings)
      observer.drift(route, ['fee: expected object'])
      observer.drift(route, ['fee: expected object'])
    } finally {
      stop()
    }
    expect(events).toEqual([
      { route, issues: ['fee: expected object'] },
      { route, issues: ['fee: expected object'] },
    ])
    expect(warn).not.toHaveBeenCalled()
  })

  it('is warned of once for each field where nobody listens', () => {
    const warn = quiet()
    new Observer(settings).drift(route, ['fee: expected object', 'process.isTest: expected boolean'])
    new Observer(settings).drift(route, ['fee: expected object'])
    expect(warn).toHaveBeenCalledTimes(2)
    expect(String(warn.mock.calls[0]?.[0])).toContain(`${route}: fee: expected object`)
  })

  it('is warned of a hundred times at most', () => {
    const warn = quiet()
    const observer = new Observer(settings)
    for (let n = 0; n < 200; n++) observer.drift(route, [`data.${n}.name: expected string`])
    expect(warn).toHaveBeenCalledTimes(100)
  })

  it('is written to the log of the client once for each field, and then nobody is warned', async () => {
    const warn = quiet()
    const lines: string[] = []
    const write = (line: string) => lines.push(line)
    const logger = { debug: write, info: write, warn: write, error: write }
    const observer = new Observer({ ...settings, logger })
    observer.drift(route, ['fee: expected object'])
    observer.drift(route, ['fee: expected object', 'process.isTest: expected boolean'])
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    expect(lines).toEqual([
      `merchant-gateway: the gateway's response differs from what this version knows: ${route}: fee: expected object`,
      `merchant-gateway: the gateway's response differs from what this version knows: ${route}: process.isTest: expected boolean`,
    ])
    expect(warn).not.toHaveBeenCalled()
  })
})
