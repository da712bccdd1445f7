import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CallbackReceiver } from '../../../../src/callbacks/index.js'
import { GatewayClient } from '../../../../src/index.js'
import { paymentLog } from '../../../../src/payment-log/index.js'
import { closedAddress } from '../../../../test/support/listening.js'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { createSandbox, type FaultOptions } from '../../../sandbox/src/index.js'
import { run, temporaryFolders } from '../support.js'

const folder = temporaryFolders()
const canary = 'Jana Canary'
const account = { accountName: canary, accountNumber: '000123-0987654321' }
const createPayout: Pick<FaultOptions, 'route' | 'times'> = { route: 'POST /payouts/{idPayout}', times: 1 }

test('the lives of five payments are told by the log and the gateway, without a word of the customer', async () => {
  await using sandbox = createSandbox({ settleAfterMs: false, rateLimit: false })
  await sandbox.listen()
  const lines: string[] = []
  const stop = paymentLog({ write: (line) => lines.push(line) })
  await using client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
  const told: string[] = []
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: 'http://localhost:1/callbacks',
    secrets: ['a-secret-of-at-least-32-bytes-for-tests'],
    allowInsecureHttp: true,
    onPayin: ({ process }) => void told.push(process?.status ?? ''),
    onPayout: () => {
      throw new TypeError(canary)
    },
    onError: () => {},
  })
  const payout = (idPayout: string, amount = 25) =>
    client.payouts
      .create({
        idPayout,
        paymentRequested: { money: { amount, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
      })
      .catch(() => undefined)

  // Its answer is lost, the second call finds it.
  sandbox.fault({ ...createPayout, action: { kind: 'drop-after' } })
  await payout('lost-answer')
  await payout('lost-answer')
  // The same id for other money.
  await payout('conflict')
  await payout('conflict', 99)
  // Nobody knows: the connection is gone, and nobody calls again.
  sandbox.fault({ ...createPayout, action: { kind: 'drop-before' } })
  await payout('unknown')
  // Paid, called back, and dealt with.
  await client.payins.create({
    idPayin: 'paid',
    paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'VAPAY', account },
  })
  sandbox.payins.get('paid').pay()
  expect(await callbacks.receive(callbacks.urlFor({ idPayin: 'paid' }))).toMatchObject({ status: 204 })
  // Paid out, and the merchant's function fails with it.
  await payout('not-told')
  sandbox.payouts.get('not-told').pay()
  expect(await callbacks.receive(callbacks.urlFor({ idPayout: 'not-told' }))).toMatchObject({ status: 500 })
  stop()

  expect(lines.join('')).not.toContain(canary)
  expect(lines.join('')).not.toContain(account.accountNumber)
  const log = join(folder(), 'payments.ndjson')
  // A log has lines of others in it, and its last one may be cut.
  writeFileSync(log, `listening on 8080\n${lines.join('')}{"v":1,"idPayin":"paid"`)

  const env = environmentOf(sandbox)
  const explain = async (id: string, ...more: string[]) => {
    const { code, stdout, stderr } = await run(['explain', id, '--log', log, ...more], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toMatch(/Canary|0987654321/)
    return stdout
  }
  const [lost, conflict, unknown, paid, notTold] = await Promise.all(
    ['lost-answer', 'conflict', 'unknown', 'paid', 'not-told'].map((id) => explain(id)),
  )
  expect(lost).toContain(`payouts.create was called, by process ${process.pid} on `)
  expect(lost).toContain('has no usable answer (connection), so it may have been processed')
  expect(lost).toContain('was answered 409: the gateway has accepted this id before')
  expect(lost).toContain('the gateway had this payout already, and shows it (replayed)')
  expect(lost).toContain('The gateway shows now: payout lost-answer, PENDING (not final), 25 EUR')
  expect(lost).toContain('To do: Wait for it, and create no other one in its place.')
  expect(conflict).toContain('it moved no second money')
  expect(unknown).toContain('The gateway shows no payout under this id now, although it may have accepted it')
  expect(unknown).toContain('call create again with the same id, and never with another one')
  expect(told).toEqual(['SUCCESS'])
  expect(paid).toContain('a callback came, and was answered 204 (dealt with)')
  expect(paid).toContain('your function was called with it as SUCCESS, and dealt with it')
  expect(paid).toContain('Money: The payin is a test that shows itself as paid: no money has moved.')
  expect(paid).toContain('To do: Nothing: your function has dealt with it.')
  expect(notTold).toContain('your function was called with it as SUCCESS, and failed (TypeError)')
  expect(notTold).toContain('callbacks.reconcile([{ idPayout }], { deliver: true })')

  const json = JSON.parse(await explain('paid', '--json'))
  expect(json).toMatchObject({ kind: 'payin', gateway: { state: 'found', paid: true } })
  // With the gateway alone, and with the log alone.
  const alone = await run(['explain', 'paid'], { env })
  expect(alone.stdout).toContain('There is no log of it: this is what the gateway alone shows.')
  const offline = await run(['explain', 'unknown', '--log', '-'], { input: readFileSync(log, 'utf8') })
  expect(offline.stdout).toContain('By the log nobody knows whether the gateway has this payout.')
  expect(await run(['explain', 'nothing', '--log', log], { env })).toMatchObject({ code: 1, stdout: '' })
  expect(await run(['explain', 'paid'])).toMatchObject({ code: 2 })
  const away = await run(['explain', 'paid'], { env: { ...env, GATEWAY_BASE_URL: await closedAddress() } })
  expect(away).toMatchObject({ code: 3, stderr: expect.stringContaining('the payin or payout exists') })
}, 120_000)
