import { describe, test, vi } from 'vitest'
import type { GatewayProfile } from '../../../../src/client/profile/gateway-profile.js'
import { fastPace, learnOptions, learnt } from '../../../../test/profile/gateways/support.js'
import { useWholeApi } from '../../../../test/profile/gateways/whole-api.js'
import { privatePem } from '../../../../test/support/vectors.js'
import { createSandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import { usualPace } from '../../src/learn/asker.js'

// They ask over sockets, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

const quick = { rateLimit: false, settleAfterMs: 200, callbackRetryAfterMs: 50 } as const

/** Sandboxes with options, and some of what is learnt of each. */
const sandboxes: readonly [options: SandboxOptions, learnt: Partial<GatewayProfile>][] = [
  [
    quick,
    {
      tokens: {
        field: 'token',
        timestampUnit: 'seconds',
        repeatedRequest: 'taken',
        idsInOperations: 'percent-encoded',
        moneyLimit: 'kept',
        idLimit: 'kept',
      },
      callbacks: { method: 'POST', contentType: 'application/json', body: {}, tries: 3 },
      customerAccountPath: '/payins/{idPayin}/customer-account',
    },
  ],
  // Two payouts are made there that had to be refused.
  [
    { ...quick, profile: { profileVersion: 1, tokens: { moneyLimit: 'ignored', idLimit: 'ignored' } } },
    { tokens: { moneyLimit: 'ignored', idLimit: 'ignored' } },
  ],
  [{ ...quick, strictness: 'specification' }, { payins: { statusField: 'process.status' } }],
  [
    { ...quick, rateLimit: 10, limiter: 'evenly-spaced', retryAfter: 'seconds' },
    { rate: { counted: 'evenly-spaced', retryAfter: 'seconds' } },
  ],
]

describe.concurrent.each(sandboxes)('a sandbox with %j', (options, known) => {
  test('is learnt, and a client of the profile gets on with it', async ({ expect, onTestFinished }) => {
    const sandbox = createSandbox({ merchantCode: 'M-0001', privateKey: privatePem, ...options })
    onTestFinished(() => sandbox.close())
    await sandbox.listen()
    const { baseUrl } = sandbox.clientOptions()
    const isCounting = options.rateLimit !== false
    const pace = isCounting ? { ...usualPace, pollMs: 100, holdMs: 400 } : fastPace
    const { profile } = await learnt(learnOptions(baseUrl, { pace }))
    expect(profile).toMatchObject(known)
    await useWholeApi(baseUrl, profile)
  })
})
