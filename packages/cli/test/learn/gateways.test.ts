import { describe, test, vi } from 'vitest'
import { gateways } from '../../../../test/profile/gateways/all.js'
import { expectSameShapes } from '../../../../test/profile/gateways/same-shapes.js'
import { fastPace, learnOptions, learnt } from '../../../../test/profile/gateways/support.js'
import { useWholeApi } from '../../../../test/profile/gateways/whole-api.js'
import { usualPace } from '../../src/learn/asker.js'

// They ask over sockets, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

/** Those that count are asked as slowly as real ones. */
const counting = ['an evenly spaced limiter', 'ten in any second']

/** Those whose payins don't say whether they are tests. */
const silent = ['the status at the top', 'a processedAt that is null at first']

describe.concurrent.each(Object.entries(gateways))('%s', (name, make) => {
  test('is learnt at the first run, a client of the profile gets on with it, and a sandbox of it answers alike', async ({
    expect,
    onTestFinished,
  }) => {
    const gateway = make()
    onTestFinished(() => gateway.close())
    const baseUrl = await gateway.listen()
    const pace = counting.includes(name) ? { ...usualPace, pollMs: 100, holdMs: 400 } : fastPace
    const { profile, findings } = await learnt(
      learnOptions(baseUrl, { pace, assumesTest: silent.includes(name) }),
    )
    expect(findings.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'skip')).toEqual([])
    expect(profile.callbacks?.tries).toBe(gateway.callbackTries)
    await useWholeApi(baseUrl, profile)
    gateway.isCounting = false
    await expectSameShapes(baseUrl, profile, gateway.steps.length === 1)
  })
})
