import { setTimeout as realTimeout } from 'node:timers'
import { expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../packages/sandbox/src/index.js'
import { GatewayClient, isGatewayError, type Refund } from '../../src/index.js'
import { chances } from '../support/chances.js'
import { turns } from '../support/turns.js'

/** `REFUNDED_PAYINS=2000 npx vitest run test/properties/refunds` for more of them. */
const payins = Number(process.env.REFUNDED_PAYINS ?? 100)
const paidCents = 1000

/** Of the responses to everything but token requests a fifth is lost, cut, or a 500; half of them after the gateway did it. */
function faulty(sandbox: Sandbox, chance: () => number): typeof sandbox.fetch {
  return async (input, init) => {
    const isToken = String(input instanceof Request ? input.url : input).includes('/auth-tokens')
    if (isToken || chance() >= 0.2) return sandbox.fetch(input, init)
    if (chance() < 0.5) throw new TypeError('fetch failed', { cause: new Error('reset before') })
    const response = await sandbox.fetch(input, init)
    const [kind] = [chance()]
    if (kind < 0.4) throw new TypeError('fetch failed', { cause: new Error('reset after') })
    if (kind < 0.7) return new Response('{"paymentReq', { status: response.status })
    return new Response('', { status: 500 })
  }
}

interface Clerk {
  readonly cents: number
  /** What the clerk believes at the end. */
  believes?: Refund | 'refused'
}

test('three clerks who refund one payin at once, with lost responses and kills, give back what was paid at most', async () => {
  // Waits between attempts pass at once.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => realTimeout(run, ms / 200, ...args)) as typeof setTimeout)
  const chance = chances(7)
  const sandbox = createSandbox({ rateLimit: false, payAfterMs: false })
  // Deadlines pass sooner too, and no machine is so busy as to miss these.
  const patient = { ...sandbox.clientOptions(), deadlineMs: 2_000_000 }
  const options = { ...patient, fetch: faulty(sandbox, chance) }
  let client = new GatewayClient(options)
  const quiet = new GatewayClient(patient)

  /** As one would write it: list, take the next number, store it, refund; after a kill or a doubt the same again. */
  async function refund(idPayin: string, clerk: Clerk): Promise<void> {
    let number: number | undefined
    for (let tries = 0; tries < 200; tries++) {
      const kill = new AbortController()
      if (chance() < 0.2) void turns(Math.floor(chance() * 30)).then(() => kill.abort())
      try {
        number ??= (await client.payins.refunds(idPayin, { signal: kill.signal })).refunds.length + 1
        clerk.believes = await client.payins.refund(
          {
            idPayin,
            number,
            money: { amount: clerk.cents / 100, currencyCode: 'EUR' },
            account: { accountName: 'Jana Novak', accountNumber: '000123' },
          },
          { signal: kill.signal },
        )
        return
      } catch (error) {
        if (!isGatewayError(error)) throw error
        // Another clerk has that number, or it is not the next one any more: nothing of this clerk was made.
        if (error.code === 'idempotency_conflict') number = undefined
        if (error.code !== 'refund_refused') continue
        if (error.reason === 'gap') number = undefined
        else {
          expect(error.reason).toBe('above-paid')
          clerk.believes = 'refused'
          return
        }
      }
    }
  }

  for (let n = 0; n < payins; n++) {
    const idPayin = `order-${n}`
    await quiet.payins.create({
      idPayin,
      paymentRequested: { money: { amount: paidCents / 100, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    sandbox.payins.get(idPayin).pay()
    const clerks: Clerk[] = [450 + Math.floor(chance() * 50), 300, 601].map((cents) => ({ cents }))
    await Promise.all(clerks.map((clerk) => refund(idPayin, clerk)))

    const { refunds } = await quiet.payins.refunds(idPayin)
    const given = refunds.map(({ paymentRequested }) => Math.round(paymentRequested.money.amount * 100))
    // None above the sum, none lost, none twice, and nobody is left without a response.
    expect(given.reduce((sum, cents) => sum + cents, 0)).toBeLessThanOrEqual(paidCents)
    const believed = clerks.flatMap(({ believes, cents }) => (believes === 'refused' ? [] : [cents]))
    expect(clerks.map(({ believes }) => believes)).not.toContain(undefined)
    expect(given.toSorted((a, b) => a - b)).toEqual(believed.toSorted((a, b) => a - b))
    if (n % 50 === 49) {
      // A process begins anew now and then.
      await client.close()
      client = new GatewayClient(options)
    }
  }
  expect(sandbox.payouts.size).toBeGreaterThan(payins)
  await Promise.all([client.close(), quiet.close(), sandbox.close()])
}, 600_000)
