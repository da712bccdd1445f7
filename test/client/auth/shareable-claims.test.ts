import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { unshareable } from '../../../src/client/auth/tokens.js'
import { caught } from '../../support/caught.js'
import { mockGateway, testClient } from '../../support/gateway.js'

const id = 'order.1'

describe('a token for one payin may claim', () => {
  it.each([
    ['nothing', {}],
    ['names that nobody knows', { sub: 'M-0001', scp: 'payin:read', role: 7, iss: 'GET REAL LTD' }],
    ['the action and the id', { action: 'PAYIN_INFO', idPayment: id }],
    ['the same in capitals or in lists', { ACTIONS: ['PAYIN_INFO'], idPayin: id }],
    ['the one operation', { operations: [`GET /payins/${id}`] }],
    ['the one operation, escaped', { scope: { operations: ['GET /payins/order\\.1'] } }],
    ['numbers under any name', { action: 1, idPayment: 2, operations: 3 }],
  ])('%s', (_case, claims) => {
    expect(unshareable(claims, id)).toEqual([])
  })
})

describe('a token for one payin must not claim', () => {
  const action = 'claims: an action other than PAYIN_INFO'
  const operation = 'claims: an operation other than reading this payin'
  const other = 'claims: the id of another payment'
  it.each([
    ['another action', { action: 'PAYIN_CREATE', idPayment: id }, [action]],
    ['an action that nobody knows', { action: 'PAYOUT_CREATE' }, [action]],
    ['creating, under a name that nobody knows', { scp: ['PAYIN_INFO', 'PAYIN_CREATE'] }, [action]],
    ['another payment', { action: 'PAYIN_INFO', idPayment: 'order.2' }, [other]],
    ['a payout', { scope: { idPayout: 'w-1' } }, [other]],
    ['every payin', { operations: ['GET /payins/.*'] }, [operation]],
    ['everything', { operations: ['.*'] }, [operation]],
    ['every method', { perms: ['* /payins/order.1', '.* .*'] }, [operation]],
    ['a payout, under a name that nobody knows', { perms: 'POST /payouts/.*' }, [operation]],
    ['several of these', { action: 'X', operations: ['GET /balances'] }, [action, operation]],
    [
      'what is too deep to be read',
      { a: { a: { a: { a: { a: { a: { a: {} } } } } } } },
      ['claims: too deep to be read'],
    ],
  ])('%s', (_case, claims, issues) => {
    expect(unshareable(claims, id)).toEqual(issues)
  })

  it('a pattern, where the id itself reads as one', () => {
    expect(unshareable({ operations: ['GET /payins/.*'] }, '.*')).toEqual([operation])
  })
})

describe('authTokens.shareable', () => {
  const gateway = mockGateway()
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenOf = (claims: object) => ({ token: `${encode({ alg: 'none' })}.${encode(claims)}.c2ln` })
  const share = () => gateway.client().authTokens.shareable({ idPayin: id, validitySecs: 300 })

  it('refuses a token that says that it can do more, and shows nothing of it', async () => {
    gateway.answerTokens(tokenOf({ operations: ['POST /payouts/.*'] }))
    const error = await caught(share)
    expect(error).toMatchObject({
      code: 'unusable_response',
      issues: ['claims: an operation other than reading this payin'],
    })
    expect(error.message).toMatch(/^POST \/auth-tokens-by-action: .*must not go to a browser/)
    expect(JSON.stringify(error) + error.message).not.toMatch(/eyJ|payouts/)
  })

  it.each([
    ['says nothing of what it is for', tokenOf({ sub: 'M-0001' })],
    ["can't be read", { token: 'an-opaque-token' }],
  ])('gives a token that %s', async (_case, answer) => {
    gateway.answerTokens(answer)
    expect(await share()).toBe(answer.token)
  })
})

it('what the sandbox gives for PAYIN_INFO may be shared', async () => {
  const sandbox = createSandbox({ rateLimit: false })
  const client = testClient({ ...sandbox.clientOptions(), now: Date.now })
  await expect(client.authTokens.shareable({ idPayin: 'a b+c', validitySecs: 60 })).resolves.toMatch(/^eyJ/)
  await client.close()
  await sandbox.close()
})
