import { describe, expect, it, vi } from 'vitest'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

describe('merchant information that differs from the specification', () => {
  it('is given as it came, with a warning that names fields and no values', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    gateway.answer({ channelInfo: { name: 4711 } })
    expect(await gateway.client().merchantInfo.retrieve()).toEqual({ channelInfo: { name: 4711 } })
    expect(warn.mock.calls.join()).toContain('GET /merchant-info: channelInfo.name: expected string')
    expect(warn.mock.calls.join()).not.toContain('4711')
  })

  it('is refused when it is no object at all', async () => {
    gateway.answer(() => Response.json('Shop'))
    const error = await caught(() => gateway.client().merchantInfo.retrieve())
    expect(error).toMatchObject({ code: 'unusable_response', issues: ['body: expected object'] })
  })
})

describe('balances.list', () => {
  it.each([
    ['a list with currencyCode', [{ currencyCode: 'EUR', amount: 1 }], ['USD']],
    ['a list with currency', { data: [{ currency: 'EUR' }] }, ['USD']],
    ['a list with code', { balances: [{ code: 'eur' }] }, ['USD']],
    ['money inside', { data: [{ money: { amount: 1, currencyCode: 'EUR' } }] }, ['USD']],
    ['a map by code', { EUR: 1 }, ['USD']],
    ['a map by code at depth', { balances: { EUR: { amount: 1 }, USD: { amount: 0 } } }, []],
    ['all of them', [{ currencyCode: 'EUR' }, { currencyCode: 'USD' }], []],
    ['an empty list', [], ['EUR', 'USD']],
    ['an empty list under a name', { data: [] }, ['EUR', 'USD']],
    ['an empty list beside the number of its pages', { data: [], page: 1, total: 0 }, ['EUR', 'USD']],
    ['an empty list beside another', { warnings: [], balances: [] }, ['EUR', 'USD']],
    ['an empty map', {}, ['EUR', 'USD']],
    ['an empty map under a name', { balances: {} }, ['EUR', 'USD']],
    ['a code that is no currency', { code: 'OK', total: 5 }, undefined],
    ['an empty list of something else', { warnings: [], total: 5 }, undefined],
    ['a number', 5, undefined],
    ['null', null, undefined],
    ['an object without a currency', { total: 5 }, undefined],
    ['a list without a currency', { data: [{ amount: 5 }] }, undefined],
    ['a list that is too long to be one of balances', Array(20_000).fill({ amount: 1 }), undefined],
  ])('says which did not come back, where %s shows it', async (_shape, answer, notReturned) => {
    gateway.answer(() => Response.json(answer))
    const result = await gateway.client().balances.list({ currencies: ['EUR', 'USD'] })
    expect(result.balances).toEqual(answer)
    expect(result.notReturned).toEqual(notReturned)
    expect('notReturned' in result).toBe(notReturned !== undefined)
  })

  it('says nothing of it when none were asked for', async () => {
    gateway.answer([])
    expect(await gateway.client().balances.list()).toEqual({ balances: [] })
  })
})
