import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  type HandAnswer,
  HandGateway,
  type HandPayment,
} from '../../../../test/profile/gateways/hand-gateway.js'
import { credentials, fastPace } from '../../../../test/profile/gateways/support.js'
import { privatePem } from '../../../../test/support/vectors.js'
import { createSandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import { usualPace } from '../../src/learn/asker.js'
import { runLearn } from '../../src/learn/run.js'
import type { LearnCommandOptions } from '../../src/learn/settings.js'
import { startActHere } from '../here.js'
import { temporaryFolders } from '../support.js'

// They ask over sockets, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

/** A gateway that changes on a day. */
class Changing extends HandGateway {
  hasChanged = false
  override found(payment: HandPayment, status: string): HandAnswer {
    if (!this.hasChanged || payment.kind === 'payout') return super.found(payment, status)
    return { status: 200, body: { state: status, paymentRequested: { money: payment.money } } }
  }
  override refusal(...[which, status]: Parameters<HandGateway['refusal']>): HandAnswer {
    return super.refusal(which, this.hasChanged && status === 400 ? 422 : status)
  }
}

const folder = temporaryFolders()

// They wait far more than they compute.
describe.concurrent('learn --check', () => {
  const quick = { settleAfterMs: 0, callbackRetryAfterMs: 20 } as const

  /** A profile of one sandbox, and what a check of the same with other options says. */
  async function checked(before: SandboxOptions, now: SandboxOptions, pace = fastPace) {
    const out = join(folder(), 'gateway-profile.json')
    const learn = async (of: SandboxOptions, options: Partial<LearnCommandOptions>) => {
      await using sandbox = createSandbox({ merchantCode: 'M-0001', privateKey: privatePem, ...quick, ...of })
      await sandbox.listen()
      const env = { ...credentials, GATEWAY_BASE_URL: sandbox.clientOptions().baseUrl }
      return await startActHere((io) => runLearn({ yes: true, wait: 1, ...options }, io, pace), env).ended
    }
    expect(await learn(before, { out })).toMatchObject({ code: 0 })
    const { code, stdout } = await learn(now, { check: out })
    return { code, changed: stdout.split('\n').filter((line) => line.startsWith('changed')) }
  }

  test('says that tokens live shorter than they did', async ({ expect }) => {
    expect(await checked({ rateLimit: false }, { rateLimit: false, maxValiditySecs: 300 })).toEqual({
      code: 1,
      changed: ['changed  tokens: `longestValiditySecs` is 300 now, and was 86400'],
    })
  })

  test('says that callbacks come no more', async ({ onTestFinished }) => {
    const gateway = new HandGateway()
    onTestFinished(() => gateway.close())
    const env = { ...credentials, GATEWAY_BASE_URL: await gateway.listen() }
    const out = join(folder(), 'gateway-profile.json')
    const learn = (options: Partial<LearnCommandOptions>) =>
      startActHere((io) => runLearn({ yes: true, wait: 1, ...options }, io, fastPace), env).ended
    await learn({ out })
    gateway.callbackTries = 0
    const { code, stdout } = await learn({ check: out })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('changed  callbacks: none comes any more'),
    })
  })

  test('says that the rate is halved', async () => {
    const pace = { ...usualPace, pollMs: 100, holdMs: 400 }
    const { code, changed } = await checked({ rateLimit: 10 }, { rateLimit: 5 }, pace)
    expect({ code, changed }).toEqual({
      code: 1,
      changed: ['changed  rate: of eleven requests at once 5 are taken now, and 10 were'],
    })
  })

  test('says that the rate is halved where the gateway takes requests one after the other only', async () => {
    // So far apart that a busy machine brings no two too close together for ten a second, and as many of them to the
    // right moment for five a second as it likes.
    const pace = { ...usualPace, gapMs: 160, pollMs: 100, holdMs: 400 }
    const evenly = { limiter: 'evenly-spaced' } as const
    const { code, changed } = await checked({ ...evenly, rateLimit: 10 }, { ...evenly, rateLimit: 5 }, pace)
    expect({ code, changed }).toEqual({
      code: 1,
      changed: [
        expect.stringMatching(
          /^changed {2}rate: of eight requests in a row [3-6] are taken now, and 8 were$/,
        ),
      ],
    })
  })

  test('says nothing of a payment that was at its end at the first look, and is not now', async () => {
    const ended = { rateLimit: false, settleAfterMs: 0 } as const
    const slower = { rateLimit: false, settleAfterMs: 300 } as const
    expect(await checked(ended, slower)).toEqual({ code: 0, changed: [] })
    expect(await checked(slower, ended)).toEqual({ code: 0, changed: [] })
  })

  test('says what has changed, by its exit code too, and writes nothing', async ({ onTestFinished }) => {
    const gateway = new Changing()
    onTestFinished(() => gateway.close())
    const env = { ...credentials, GATEWAY_BASE_URL: await gateway.listen() }
    const out = join(folder(), 'gateway-profile.json')
    const learn = (options: Partial<LearnCommandOptions>) =>
      startActHere((io) => runLearn({ yes: true, wait: 1, ...options }, io, fastPace), env).ended
    expect(await learn({ out })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${out} is written; `),
    })
    const same = await learn({ check: out })
    expect(same.code).toBe(0)
    expect(same.stdout).toMatch(/\nThe gateway is as .*gateway-profile\.json says\.\n$/)
    gateway.hasChanged = true
    const other = await learn({ check: out })
    expect(other.code).toBe(1)
    expect(other.stdout.split('\n').filter((line) => line.startsWith('changed'))).toEqual([
      'changed  payins: `statusField` is state now, and was process.status',
      'changed  GET /payins/{idPayin}: `process` is gone',
      'changed  GET /payins/{idPayin}: `paymentMethodResponse` is gone',
      'changed  GET /payins/{idPayin}: `state` is new (string)',
      'changed  the refusal body-not-json: `status` is 422 now, and was 400',
      'changed  the refusal money-missing: `status` is 422 now, and was 400',
      'changed  the refusal amount-wrong: `status` is 422 now, and was 400',
    ])
    const json = JSON.parse((await learn({ check: out, json: true })).stdout)
    expect(json).toMatchObject({ ok: false, changes: { length: 7 }, profile: { profileVersion: 1 } })
    expect(json).not.toHaveProperty('file')
  })
})
