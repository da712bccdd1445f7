import { describe, expect, it } from 'vitest'
import { checkWaitOptions } from '../../../src/client/input/call-options.js'
import { caught } from '../../support/caught.js'
import { testClient } from '../../support/gateway.js'

describe('a wait needs a limit in time', () => {
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
