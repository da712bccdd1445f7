import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runLearn } from '../../../src/cli/learn/run.js'
import type { LearnCommandOptions } from '../../../src/cli/learn/settings.js'
import { type HandAnswer, HandGateway, type HandPayment } from '../../profile/gateways/hand-gateway.js'
import { credentials, fastPace } from '../../profile/gateways/support.js'
import { startActHere } from '../here.js'

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

test('learn --check says what has changed, by its exit code too, and writes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-check-'))
  const gateway = new Changing()
  onTestFinished(async () => {
    await gateway.close()
    rmSync(folder, { recursive: true })
  })
  const env = { ...credentials, GATEWAY_BASE_URL: await gateway.listen() }
  const out = join(folder, 'gateway-profile.json')
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
