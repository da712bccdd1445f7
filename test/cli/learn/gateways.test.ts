import { describe, test } from 'vitest'
import { gateways } from '../../profile/gateways/all.js'
import { learnOptions, learnt } from '../../profile/gateways/support.js'
import { useWholeApi } from '../../profile/gateways/whole-api.js'

describe.concurrent.each(Object.entries(gateways))('%s', (_, make) => {
  test('is learnt at the first run, and a client of the profile gets on with it', async ({
    expect,
    onTestFinished,
  }) => {
    const gateway = make()
    onTestFinished(() => gateway.close())
    const baseUrl = await gateway.listen()
    const { profile, findings } = await learnt(learnOptions(baseUrl))
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(profile.callbacks?.tries).toBe(gateway.callbackTries)
    await useWholeApi(baseUrl, profile)
  })
})
