import { describe, expect, it } from 'vitest'
import { checkWaitOptions } from '../../../src/client/input/wait-options.js'
import { caught } from '../../support/caught.js'
import { testClient } from '../../support/gateway.js'

describe('a wait needs a limit in time', () => {
  it.each([
    ['maxWaitMs', '{}'],
    ['maxWaitMs', 'null'],
    ['maxWaitMs', '"10"'],
    ['maxWaitMs', '{"maxWaitMs":0}'],
    ['maxWaitMs', '{"maxWaitMs":-1}'],
    ['maxWaitMs', '{"maxWaitMs":0.5}'],
    ['maxWaitMs', '{"maxWaitMs":"1000"}'],
    ['maxWaitMs', '{"maxWaitMs":2147483648}'],
    ['timeoutMs', '{"maxWaitMs":1000,"timeoutMs":5}'],
    ['maxWaitMS', '{"maxWaitMs":1000,"maxWaitMS":5}'],
    ['signal', '{"maxWaitMs":1000,"signal":{}}'],
  ])('%s is refused in %s', async (field, options) => {
    const error = await caught(() => checkWaitOptions(JSON.parse(options)))
    expect(error).toMatchObject({ code: 'invalid_input', field })
    expect(error.message).toMatch(/nothing was sent\.$/)
  })

  it('takes what is right', () => {
    expect(() => checkWaitOptions({ maxWaitMs: 1 })).not.toThrow()
    expect(() => checkWaitOptions({ maxWaitMs: 2_147_483_647, signal: undefined })).not.toThrow()
    expect(() => checkWaitOptions({ maxWaitMs: 1, signal: new AbortController().signal })).not.toThrow()
  })

  it('and a good id, for both kinds of payment', async () => {
    const { payins, payouts } = testClient()
    const forever = JSON.parse('{}')
    expect(await caught(() => payins.waitFor('a', forever))).toMatchObject({ field: 'maxWaitMs' })
    expect(await caught(() => payouts.waitFor('a', forever))).toMatchObject({ field: 'maxWaitMs' })
    expect(await caught(() => payins.waitFor('..', { maxWaitMs: 1 }))).toMatchObject({ field: 'idPayin' })
    expect(await caught(() => payouts.watch('..', { maxWaitMs: 1 }).next())).toMatchObject({
      field: 'idPayout',
    })
  })
})
