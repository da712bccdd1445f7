// @ts-check
// Payments with merchant-gateway. The order is stored first and says what is still to be done, so whatever kills this
// process, at whatever line, the next one goes on with the same ids, and nothing is paid twice.
import { GatewayClient, moneyFromMinorUnits } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { paymentJob } from 'merchant-gateway/jobs'
import { currencyCode, seen, withPayment } from './order.mjs'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {import('merchant-gateway/jobs').CreatedPayment<'payin' | 'payout'>} Created
 * @typedef {{ storage: import('./storage.mjs').Storage, publicUrl: string }} Parts
 */

const lateMs = 60_000
const polls = { firstPollMs: 2_000, longestPollMs: lateMs }
/** Yours are in your records. */
const account = { accountName: 'Midori Tea Garden', accountNumber: '000123-9876543210' }
const toGarden = { paymentMethodCode: 'BANK_TRANSFER', account }
const byCustomer = { paymentMethodCode: 'VAPAY' }

/** @param {Parts} parts `publicUrl` is where customers and the gateway reach the shop */
export function openPayments({ storage, publicUrl }) {
  // The job tries again by itself, so a single try need not be patient.
  const client = GatewayClient.fromEnv({ timeoutMs: 10_000, deadlineMs: 30_000 })
  const jobs = { payin: paymentJob(client, 'payin', polls), payout: paymentJob(client, 'payout', polls) }
  const closing = new AbortController()
  /** The runs of payments that are followed, by the payment's id. @type {Map<string, Promise<void>>} */
  const runs = new Map()

  // Attaches itself to the client, so that every payment gets a callbackUrl, signed with GATEWAY_CALLBACK_SECRET. It
  // looks the payment up. When a function throws, the gateway is not answered 204, and calls again.
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${publicUrl}/gateway/callbacks`,
    onPayin: (payin, { idPayin }) => change(idPayin, (order) => seen(order, idPayin, payin)),
    onPayout: (payout, { idPayout }) => change(idPayout, (order) => seen(order, idPayout, payout)),
    onError: report,
  })

  /** Changes the order of a payment, and does what is to be done then. @param {string} id @param {(order: Order) => Order} what */
  function change(id, what) {
    void follow(storage.change(orderOf(id), what))
  }

  /** All that is still to be done for an order. Resolves after the first run of each payment. @param {Order} order */
  async function follow({ payments }) {
    await Promise.all(payments.filter(({ isFinal }) => !isFinal).map(({ id }) => followOne(id)))
  }

  /** One run after the other, until the payment is at its end. @param {string} id */
  function followOne(id) {
    const again = (/** @type {number | undefined} */ afterMs) => {
      if (afterMs === undefined) runs.delete(id)
      else setTimeout(() => runs.delete(id) && followOne(id), afterMs).unref()
    }
    const run = runs.get(id) ?? runOnce(id).catch(report).then(again)
    runs.set(id, run)
    return run
  }

  /**
   * Creates the payment, or looks at it. Its start is stored before, so that the next run knows of it. It asks for the
   * same every time, so that a repetition is one.
   *
   * @param {string} id @returns {Promise<number | undefined>} in how many ms the next run has to follow, if any
   */
  async function runOnce(id) {
    const payment = storage.get(orderOf(id))?.payments.find((one) => one.id === id)
    if (closing.signal.aborted || payment === undefined || payment.isFinal) return undefined
    const input = { starts: payment.starts + 1, state: payment.state, signal: closing.signal }
    const paymentRequested = { money: moneyFromMinorUnits(payment.cents, currencyCode) }
    storage.change(orderOf(id), (order) => withPayment(order, id, () => ({ starts: input.starts })))
    const returnUrl = `${publicUrl}/`
    const verdict =
      payment.kind === 'payin'
        ? await jobs.payin({ idPayin: id, paymentRequested, paymentMethod: byCustomer, returnUrl }, input)
        : await jobs.payout({ idPayout: id, paymentRequested, paymentMethod: toGarden }, input)
    if (verdict.then !== 'done' && verdict.error && !closing.signal.aborted) report(verdict.error)
    // A payout that was there before the first run is ours: its id is made of a random one.
    if (verdict.then === 'stop' && verdict.payment === undefined) {
      const status = verdict.because === 'refused' ? 'REFUSED' : 'CHECKING'
      change(id, (order) => withPayment(order, id, () => ({ status, isFinal: true })))
      return undefined
    }
    change(id, (order) => {
      const created = 'created' in verdict && verdict.created ? accepted(order, id, verdict.created) : order
      const found = verdict.payment === undefined ? created : seen(created, id, verdict.payment)
      return verdict.then === 'done' ? found : withPayment(found, id, () => ({ state: verdict.state }))
    })
    if (verdict.then === 'again') return verdict.afterMs
    return verdict.then === 'stop' ? 0 : undefined
  }

  for (const order of storage.all()) void follow(order)

  async function close() {
    closing.abort()
    await Promise.all([callbacks.drain(), ...runs.values()])
    await client.close()
  }
  return { follow, receiveCallback: callbacks.node(), close }
}

/** A payout's id is its order's with an ending. @param {string} id */
const orderOf = (id) => id.replace(/-garden$/, '')

/** A callback may have been faster. @param {Order} order @param {string} id @param {Created} created @returns {Order} */
function accepted(order, id, created) {
  const known = withPayment(order, id, ({ status }) => ({ status: status ?? 'PENDING' }))
  if (!('idPayin' in created)) return known
  const { reference, expireAt } = created.paymentMethodResponse ?? {}
  return { ...known, payTo: { reference, expireAt } }
}

/** A gateway's error says what happened and what to do, and holds no secret. @param {unknown} error */
function report(error) {
  console.error(error instanceof Error ? error.message : error)
  return lateMs
}
