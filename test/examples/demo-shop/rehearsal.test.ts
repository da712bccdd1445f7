import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../packages/sandbox/test/cli/here.js'
import { closedAddress } from '../../support/listening.js'

interface Row {
  readonly name: string
  readonly outcome: string
  readonly sentence: string
}

/** Rehearses the shop, as examples/demo-shop/README.md says. */
async function rehearsed(environment: string, args: readonly string[]): Promise<readonly Row[]> {
  const url = await closedAddress()
  const folder = mkdtempSync(join(tmpdir(), 'demo-shop-rehearsal-'))
  const secret = `GATEWAY_CALLBACK_SECRET=${randomBytes(32).toString('hex')}`
  const settings = `PORT=${new URL(url).port} SHOP_FOLDER=${folder} ${secret} ${environment}`
  const order = `${url}/orders/rehearsed-order-of-the-shop-{n}`
  try {
    const { stdout } = await run([
      'rehearse',
      ...['--start', `${settings} '${process.execPath}' examples/demo-shop/server.mjs`],
      ...['--action', `POST ${order} {"quantity":1}`, '--status', order, ...args, '--json'],
    ])
    const { cases }: { cases: readonly Row[] } = JSON.parse(stdout)
    return cases
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const payins = ['--paid', 'status=SUCCESS', '--once', 'shipments=1', '--price', '9.80 EUR']
const wrongOnes = (cases: readonly Row[]) =>
  cases.filter(({ outcome }) => outcome === 'wrong' || outcome === 'not yet')

test('with merchant-gateway no case that can be rehearsed finds anything wrong with an order', async () => {
  const cases = await rehearsed('', payins)
  expect(wrongOnes(cases)).toEqual([])
  // Two or three want another clock, which not every machine has.
  expect(cases.filter(({ outcome }) => outcome === 'right').length).toBeGreaterThan(30)
}, 600_000)

test('with merchant-gateway the tea garden is paid once, whatever happens to its payout', async () => {
  const names = 'double-click,answer-lost,error-after,answer-twice,killed,killed-when-paid'
  const paid = ['--payouts', '--paid', '"payouts":[{"status":"SUCCESS"', '--cases', names]
  const verdicts = (await rehearsed('', paid)).map(({ name, outcome }) => `${name}: ${outcome}`)
  expect(verdicts).toEqual(['clean', ...names.split(',')].map((name) => `${name}: right`))
}, 600_000)

test('without merchant-gateway the lost response, the kill and the repeated callback are found wrong', async () => {
  const names = 'answer-lost,killed,callback-ten-times'
  const cases = await rehearsed('SHOP_BY_HAND=true', [...payins, '--cases', names])
  expect(wrongOnes(cases).map(({ name }) => name)).toEqual(names.split(','))
}, 600_000)
