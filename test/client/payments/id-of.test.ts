import { expect, it } from 'vitest'
import { idOf } from '../../../src/index.js'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

it('a payin that was looked up has the id by which it was asked for, and stays as it came', async () => {
  gateway.answer({ process: { status: 'PENDING' } })
  const payin = await gateway.client().payins.retrieve('order-1')
  expect(idOf(payin)).toBe('order-1')
  expect(payin).toEqual({ process: { status: 'PENDING' } })
})

it('an object that no client has looked up has none', async () => {
  gateway.answer({ process: { status: 'SUCCESS' } })
  const payin = await gateway.client().payins.waitFor('order-2', { maxWaitMs: 1000 })
  expect(idOf(payin)).toBe('order-2')
  expect(idOf({ ...payin })).toBeUndefined()
})
