import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  csvOf,
  expectEachOnce,
  expectNoCustomer,
  fileOf,
  killedRun,
  payoutsOf,
  reportOf,
} from '../../packages/cli/test/payouts/support.js'
import { run, temporaryFolder } from '../../packages/cli/test/support.js'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { environmentOf } from '../support/merchant-environment.js'

const folder = temporaryFolder()
const [payoutCount, kills, faultyShare] = [80, 10, 0.2]

test(`${payoutCount} payouts of a file, ${kills} runs killed at random, every fifth response faulty: each exactly once`, {
  timeout: 300_000,
}, async () => {
  await using sandbox = createSandbox({ payAfterMs: 0, rateLimit: false })
  await sandbox.listen()
  const env = environmentOf(sandbox)
  const payouts = payoutsOf(payoutCount)
  const file = fileOf(folder.path, csvOf(payouts))
  const route = 'POST /payouts/{idPayout}'
  const faulty = [
    { kind: 'drop-after' },
    { kind: 'drop-before' },
    { kind: 'status', status: 503 },
    { kind: 'cut-body' },
  ] as const
  for (const action of faulty) {
    sandbox.fault({ route, action, probability: faultyShare / faulty.length, times: Infinity })
  }
  let answered = 0
  for (let killed = 0; killed < kills; killed++) {
    // Counted from this run's first request, so that some die with nothing answered and some with much.
    const wanted = sandbox.requests.length + 1 + randomInt(16)
    await killedRun(['payouts', 'send', file, '--yes'], env, () => sandbox.requests.length >= wanted)
    answered = Math.max(answered, sandbox.payouts.size)
  }
  const { code, stdout, stderr } = await run(['payouts', 'send', file, '--yes', '--json'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ payouts: payoutCount, paid: payoutCount })
  expectEachOnce(sandbox, payouts)
  const report = reportOf(file)
  for (const { idPayout, amount } of payouts) {
    expect(report.get(idPayout)).toMatchObject({
      amount,
      currencyCode: 'EUR',
      state: 'paid',
      status: 'SUCCESS',
    })
  }
  expectNoCustomer(file, stdout)
  process.stdout.write(`${kills} kills, ${answered} of ${payoutCount} accepted before the last run\n`)
})
