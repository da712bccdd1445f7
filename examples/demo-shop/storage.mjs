// @ts-check
// Orders in a folder, a file for each, of one process. Reads and writes are synchronous on purpose: nothing else happens
// in this process between a decision and the disk.
import fs from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {ReturnType<typeof openStorage>} Storage
 *
 * @param {string} folder
 */
export function openStorage(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const orders = new Map(readOrders(folder).map((order) => [order.id, order]))

  /** On the disk when it returns. A crash leaves the old order or the new one, and never half of one. @param {Order} order */
  function write(order) {
    const path = join(folder, `${order.id}.json`)
    fs.writeFileSync(`${path}.new`, JSON.stringify(order), { mode: 0o600, flush: true })
    fs.renameSync(`${path}.new`, path)
    orders.set(order.id, order)
    return order
  }

  return {
    all: () => [...orders.values()],
    /** @param {string} id */
    get: (id) => orders.get(id),
    /** Unless there is one. @param {Order} order */
    add: (order) => orders.get(order.id) ?? write(order),
    /** When `change` throws, nothing is stored. @param {string} id @param {(order: Order) => Order} change */
    change(id, change) {
      const order = orders.get(id)
      if (order === undefined) throw new Error('There is no such order (yet), so nothing was stored.')
      return write(change(order))
    },
  }
}

/** A damaged file throws, so that the shop does not start without its order. @param {string} folder @returns {Order[]} */
export function readOrders(folder) {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.map((name) => JSON.parse(fs.readFileSync(join(folder, name), 'utf8')))
}
