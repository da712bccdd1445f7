import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type DriftEvent, onGatewayEvent } from '../../../src/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { anySigner } from '../../faults/support.js'

let fresh: typeof import('../../../src/index.js')

beforeEach(async () => {
  // What has been warned of is remembered for the life of the process.
  vi.resetModules()
  fresh = await import('../../../src/index.js')
})

const quiet = () => vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
const isTest = 'GET /payouts/{idPayout}: process.isTest: expected boolean'
const processed = 'GET /payouts/{idPayout}: process.processedAt: expected string'

/** A client of a gateway whose payouts differ in these fields. */
function clientOf(differing: () => object, logger?: Record<'debug' | 'info' | 'warn' | 'error', () => void>) {
  const payout = found('payout')
  const { fetch } = fetchGateway(() => {
    return Response.json({ ...payout, process: { ...payout.process, ...differing() } })
  })
  const options = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', signer: anySigner }
  const client = new fresh.GatewayClient({ ...options, fetch, logger, rateLimit: false })
  return () => client.payouts.retrieve('order-1')
}

describe('a response that differs from what this version knows', () => {
  it('is told to whoever listens, and then nobody is warned', async () => {
    const warn = quiet()
    const events: DriftEvent[] = []
    const stop = onGatewayEvent('merchant-gateway:drift', (event) => events.push(event))
    const read = clientOf(() => ({ isTest: 'yes' }))
    await read()
    await read()
    stop()
    const event = { route: 'GET /payouts/{idPayout}', issues: ['process.isTest: expected boolean'] }
    expect(events).toEqual([event, event])
    expect(warn).not.toHaveBeenCalled()
  })

  it('is warned of once for each field where nobody listens', async () => {
    const warn = quiet()
    await clientOf(() => ({ isTest: 'yes', processedAt: 1 }))()
    await clientOf(() => ({ isTest: 'yes' }))()
    const said = warn.mock.calls.map(([text]) => String(text))
    expect(said).toHaveLength(2)
    for (const what of [isTest, processed]) expect(said.join()).toContain(what)
  })

  it('is warned of a hundred times at most', async () => {
    const warn = quiet()
    let answered = 0
    const { fetch } = fetchGateway(() => {
      const good = { paymentMethodCode: 'CARD', paymentOperators: [] }
      return Response.json({ data: [...Array(answered++).fill(good), { ...good, paymentMethodCode: 7 }] })
    })
    const options = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', signer: anySigner }
    const client = new fresh.GatewayClient({ ...options, fetch, rateLimit: false })
    for (let n = 0; n < 120; n++) await client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR' })
    expect(warn).toHaveBeenCalledTimes(100)
  })

  it('is written to the log of the client once for each field, and then nobody is warned', async () => {
    const warn = quiet()
    const lines: string[] = []
    const write = (line = '') => void (line.includes('differs') && lines.push(line))
    const more = [{ isTest: 'yes' }, { isTest: 'yes', processedAt: 1 }]
    const read = clientOf(() => more.shift() ?? {}, { debug: write, info: write, warn: write, error: write })
    await read()
    await read()
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    const sentence = "merchant-gateway: the gateway's response differs from what this version knows:"
    expect(lines).toEqual([`${sentence} ${isTest}`, `${sentence} ${processed}`])
    expect(warn).not.toHaveBeenCalled()
  })
})
