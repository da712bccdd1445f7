// @ts-check
// Does what the orders say is still to be done. The order is stored first and is its own entry of the outbox, so
// whatever kills this process, at whatever line, the next one goes on from there: with the same ids, so that nothing
// is paid twice.
import { setTimeout as pause } from 'node:timers/promises'
import { makeCreate } from './creates.mjs'
import { isUnderWay, toCreate } from './order.mjs'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {object} OutboxParts
 * @property {import('merchant-gateway').GatewayClient} client
 * @property {import('merchant-gateway/callbacks').CallbackReceiver} callbacks looks payments up, and tells the shop
 * @property {import('./storage/storage.mjs').Storage} storage
 * @property {(error: unknown) => void} report
 */

const everyMs = 2_000
const longestGapMs = 60_000
const atOnce = 8
/** A customer who looks again sees what the gateway says now, or said this long ago. */
const freshMs = 3_000

/** @param {OutboxParts} parts */
export function openOutbox({ client, callbacks, storage, report }) {
  const closing = new AbortController()
  const { signal } = closing
  const create = makeCreate({ client, storage, report, signal })
  /** Runs by key, so that no order has two at once here. @type {Map<string, Promise<void>>} */
  const running = new Map()
  /** When orders were looked up, and from when on they may be sent again. @type {Map<string, number>} */
  const lookedAt = new Map()
  /** @type {Map<string, { tries: number, notBefore: number }>} */
  const failures = new Map()

  /** @param {string} key */
  async function work(key) {
    while (!signal.aborted) {
      const order = await storage.find({ key })
      if (order === undefined || toCreate(order) === undefined) break
      if (await create(order)) continue
      const tries = (failures.get(key)?.tries ?? 0) + 1
      failures.set(key, { tries, notBefore: Date.now() + Math.min(longestGapMs, 1_000 * 2 ** tries) })
      return
    }
    failures.delete(key)
  }

  /** Creates what this order wants, now. Behind a run of the same order, which may have begun too early. @param {string} key */
  function send(key) {
    const run = (running.get(key) ?? Promise.resolve())
      .then(() => work(key))
      .catch((error) => report(error))
      .finally(() => running.get(key) === run && running.delete(key))
    running.set(key, run)
    return run
  }

  /** Asks the gateway how these stand; the receiver of callbacks stores it. @param {Order[]} orders */
  async function look(orders) {
    for (const { key } of orders) lookedAt.set(key, Date.now())
    for await (const { error } of callbacks.reconcile(orders.flatMap(underWay), { deliver: true, signal })) {
      if (error !== undefined) report(error)
    }
  }

  /** @param {Order} order whose customer looks at it */
  async function refresh(order) {
    const isFresh = Date.now() - (lookedAt.get(order.key) ?? 0) < freshMs
    if (!isFresh) await look([order]).catch((error) => report(error))
  }

  async function round() {
    const now = Date.now()
    const open = await storage.open()
    const unsent = open.filter(
      (order) => toCreate(order) !== undefined && (failures.get(order.key)?.notBefore ?? 0) <= now,
    )
    const due = open.filter(({ key, placedAt }) => now - (lookedAt.get(key) ?? 0) >= lookGapMs(now, placedAt))
    const keys = new Set(open.map(({ key }) => key))
    for (const map of [lookedAt, failures]) for (const key of map.keys()) if (!keys.has(key)) map.delete(key)
    const next = unsent.values()
    const senders = Array.from({ length: atOnce }, async () => {
      for (const { key } of next) if (!running.has(key)) await send(key)
    })
    await Promise.all([...senders, look(due)])
  }

  async function rounds() {
    while (!signal.aborted) {
      await round().catch((error) => signal.aborted || report(error))
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  const ended = rounds()

  async function close() {
    closing.abort()
    await Promise.all([ended, ...running.values()])
  }
  return { send, refresh, close }
}

/** The younger an order is, the sooner somebody wants to know; callbacks tell most of it anyway. @param {number} now @param {string} placedAt */
function lookGapMs(now, placedAt) {
  return Math.max(5_000, (now - Date.parse(placedAt)) / 10)
}

/** @param {Order} order */
function underWay({ payin, refunds }) {
  const payins = isUnderWay(payin) && payin.maybeSent ? [{ idPayin: payin.id }] : []
  const payouts = refunds.filter((refund) => isUnderWay(refund) && refund.maybeSent)
  return [...payins, ...payouts.map(({ id }) => ({ idPayout: id }))]
}
