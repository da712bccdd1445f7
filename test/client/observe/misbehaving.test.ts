import { describe, expect, it, vi } from 'vitest'
import { type GatewayEventName, onGatewayEvent } from '../../../src/index.js'
import { accept, handMadeGateway, json, text } from '../../faults/servers.js'
import { clientOf, create } from '../../faults/support.js'
import { turns } from '../../support/turns.js'
import { keepingLogger } from './support.js'

const names: readonly GatewayEventName[] = [
  'merchant-gateway:call:start',
  'merchant-gateway:call:end',
  'merchant-gateway:attempt:start',
  'merchant-gateway:attempt:end',
  'merchant-gateway:token',
  'merchant-gateway:rate-limit',
]

/** Makes a payout, which takes two requests, while this listens to every channel. */
async function payoutWhile(listener: (event: object) => void) {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const stops = names.map((name) => onGatewayEvent(name, listener))
  try {
    await using gateway = await handMadeGateway({ create: [text(503, ''), accept] })
    await using client = clientOf(gateway.url, 'undici', { logger: keepingLogger().logger })
    const payout = await create(client, 'payout')
    await turns()
    expect(payout.replayed).toBe(false)
    return gateway.requests.filter(({ path }) => path.startsWith('/payouts'))
  } finally {
    for (const stop of stops) stop()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  }
}

const listeners: Record<string, (event: object) => void> = {
  throws: () => {
    throw new Error('listener')
  },
  'is async and rejects': async () => {
    throw new Error('listener')
  },
}

describe('a payout is made once, and tried again as ever, while a listener', () => {
  it.each(Object.entries(listeners))('%s', async (_name, listener) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    expect(await payoutWhile(listener)).toHaveLength(2)
    for (const [warning] of warn.mock.calls)
      expect(String(warning)).toMatch(/^a listener of merchant-gateway:/)
  })
})

describe('onGatewayEvent', () => {
  it('warns of a listener that throws, once for each channel, and says nothing of what it threw', async () => {
    vi.resetModules()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const { onGatewayEvent: listen, GatewayClient } = await import('../../../src/index.js')
    await using gateway = await handMadeGateway({ lookUp: [json(404, {})] })
    await using client = new GatewayClient({
      baseUrl: gateway.url,
      merchantCode: 'M-0001',
      signer: { sign: async () => new Uint8Array([1]) },
    })
    const stop = listen('merchant-gateway:call:end', () => {
      throw new Error('canary')
    })
    await client.payins.retrieve('order-1').catch(() => {})
    await client.payins.retrieve('order-1').catch(() => {})
    stop()
    await client.payins.retrieve('order-1').catch(() => {})
    expect(warn.mock.calls).toEqual([
      [
        'a listener of merchant-gateway:call:end threw (Error); the call that it was told of goes on.',
        { type: 'MerchantGatewayListener', code: 'MERCHANT_GATEWAY_LISTENER' },
      ],
    ])
  })

  it('ends what it began and nothing else', async () => {
    const first = vi.fn()
    const second = vi.fn()
    const stopFirst = onGatewayEvent('merchant-gateway:call:end', first)
    const stopSecond = onGatewayEvent('merchant-gateway:call:end', second)
    await using gateway = await handMadeGateway({ create: [accept] })
    await using client = clientOf(gateway.url, 'undici')
    stopFirst()
    stopFirst()
    await create(client, 'payout')
    stopSecond()
    await create(client, 'payout')
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(2)
  })

  it.each(['merchant-gateway:calls', 'toString', '__proto__', '', undefined])(
    'refuses the channel %s, which nobody publishes on',
    (name) => {
      // @ts-expect-error wrong on purpose
      expect(() => onGatewayEvent(name, () => {})).toThrow(expect.objectContaining({ field: 'name' }))
    },
  )

  it('refuses a listener that is no function', () => {
    // @ts-expect-error wrong on purpose
    expect(() => onGatewayEvent('merchant-gateway:token', {})).toThrow(
      expect.objectContaining({ field: 'listener' }),
    )
  })
})
