import { GatewayClient } from 'merchant-gateway'
import { type Opening, type OwnPayment, reconcileBalances } from 'merchant-gateway-cli'
import { createSandbox } from 'merchant-gateway-sandbox'
import { expect, test } from 'vitest'
import { chances } from '../../../../test/support/chances.js'
import { withLookUps } from './look-ups.js'

/** `RECONCILE_PAYMENTS=5000 npx vitest run packages/cli/test/reconcile/month` for a whole month of 250 closes. */
const wanted = Number(process.env.RECONCILE_PAYMENTS ?? 200)
const closes = wanted / 20
const hourMs = 3_600_000
const gapMs = (30 * 24 * hourMs) / 250
const rememberMs = 2 * 24 * hourMs

test.each([false, true])(
  'a month of payments, fees and returns closes without an alarm, and each planted payout is found to the cent (pending payouts in the balance: %s)',
  async (pendingPayouts) => {
    const chance = chances(Number(process.env.RECONCILE_SEED ?? 24))
    const upTo = (most: number) => Math.floor(chance() * most)
    const sandbox = createSandbox({
      rateLimit: false,
      clock: 'virtual',
      payAfterMs: 60_000,
      payJitterMs: 6 * hourMs,
      magicAmounts: false,
      maxLogged: 10,
      seed: 24,
      balances: { EUR: 1_000_000, USD: 500_000.5, JPY: 90_000_000 },
      balanceCounts: { pendingPayouts },
    })
    // Its clock goes on by hours between two requests, and a token should not end meanwhile.
    const client = new GatewayClient({ ...sandbox.clientOptions(), tokenValiditySecs: 90 * 86_400 })
    const own: { readonly payment: OwnPayment; readonly at: number }[] = []
    let made = 0

    async function pay(listed = true): Promise<{ code: string; amount: number }> {
      const kind = !listed || chance() < 0.3 ? 'payout' : 'payin'
      const code = (['EUR', 'USD', 'JPY'] as const)[upTo(3)] ?? 'EUR'
      const amount = code === 'JPY' ? 1 + upTo(9_000) : (1 + upTo(90_000)) / 100
      const id = `${kind}-${++made}`
      const paymentRequested = { money: { amount, currencyCode: code } }
      const account = { accountNumber: '000123-0123456789' }
      const at = sandbox.clock.now()
      if (kind === 'payin') {
        // Before the gateway hears of it, as an outbox does.
        if (listed) own.push({ payment: { idPayin: id }, at })
        await client.payins.create({
          idPayin: id,
          paymentRequested,
          paymentMethod: { paymentMethodCode: 'VAPAY' },
        })
      } else {
        if (listed) own.push({ payment: { idPayout: id }, at })
        const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
        await client.payouts.create({ idPayout: id, paymentRequested, paymentMethod })
      }
      return { code, amount }
    }

    /** Something that happens at any time: a payment, its end, one that fails, one that comes back. */
    async function live(): Promise<void> {
      const die = chance()
      if (die < 0.5) await pay()
      else if (die < 0.7) await sandbox.clock.advance(upTo(hourMs))
      else {
        const { payment } = own[own.length - 1 - upTo(Math.min(own.length, 60))] ?? {}
        if (payment === undefined) return
        const found =
          payment.idPayin === undefined
            ? sandbox.payouts.find(payment.idPayout)
            : sandbox.payins.find(payment.idPayin)
        if (found?.status === 'PENDING') found.setStatus(die < 0.85 ? 'SUCCESS' : 'FAILED')
        else if (found?.status === 'SUCCESS' && die > 0.9) found.setStatus('RETURNED', { processed: true })
      }
    }

    let opening: Opening | undefined
    let planted: { readonly code: string; readonly shown: string } | undefined
    let clean = 0
    let alarms = 0
    for (let close = 0; close <= closes; close++) {
      const payments = () => {
        const since = sandbox.clock.now() - 24 * hourMs
        return own.filter(({ at }) => at >= since).map(({ payment }) => payment)
      }
      let disturbances = upTo(4)
      const onLookedUp = async () => {
        if (disturbances > 0 && chance() < 0.2) {
          disturbances--
          await live()
        }
      }
      const found = await reconcileBalances({
        client: withLookUps(client, onLookedUp),
        opening,
        payments,
        balanceCounts: { pendingPayouts },
        rememberMs,
        now: () => sandbox.clock.now(),
      })
      if (!found.complete) expect.fail(`${found.moving} moved in every round`)
      const wrong = found.currencies.filter(({ unexplained }) => unexplained !== '0')
      const expected =
        planted === undefined ? [] : [{ currencyCode: planted.code, unexplained: planted.shown }]
      expect(wrong.map(({ currencyCode, unexplained }) => ({ currencyCode, unexplained }))).toEqual(expected)
      if (planted === undefined) clean++
      else alarms++
      // It is kept as a file, and comes back as one.
      opening = JSON.parse(JSON.stringify(found.next))
      planted = undefined
      const until = sandbox.clock.now() + gapMs
      while (made < (close + 1) * 20) await live()
      if (close % 5 === 4) {
        const { code, amount } = await pay(false)
        planted = { code, shown: `-${(amount + 1).toFixed(code === 'JPY' ? 0 : 2)}` }
        await sandbox.clock.advance(7 * hourMs)
      }
      await sandbox.clock.advance(Math.max(0, until - sandbox.clock.now()))
    }
    expect([clean, alarms]).toEqual([closes - Math.floor(closes / 5) + 1, Math.floor(closes / 5)])
    await client.close()
    await sandbox.close()
  },
  3_600_000,
)
