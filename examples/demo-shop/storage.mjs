// @ts-check
// Orders in a folder, a file for each. Reads and writes are synchronous on purpose: nothing else happens in this
// process between a decision and the disk. One process has the folder; for more, see ../web-shop.mjs over PostgreSQL.
import fs from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {ReturnType<typeof openStorage>} Storage
 */

/** @param {string} folder */
export function openStorage(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'))
  const orders = new Map(names.map((name) => readOrder(join(folder, name))).map((order) => [order.id, order]))

  /** On the disk when it returns. A crash leaves the old order or the new one, and never half of one. @param {Order} order */
  function write(order) {
    const path = join(folder, `${order.id}.json`)
    fs.writeFileSync(`${path}.new`, JSON.stringify(order), { mode: 0o600, flush: true })
    fs.renameSync(`${path}.new`, path)
    // The new name is there after a power cut only when the folder has been written, too.
    const handle = fs.openSync(folder, 'r')
    fs.fsyncSync(handle)
    fs.closeSync(handle)
    orders.set(order.id, order)
    return order
  }

  return {
    all: () => [...orders.values()],
    /** @param {string} id */
    get: (id) => orders.get(id),
    /** By the id of one of its refunds. @param {string} id */
    ofRefund: (id) => [...orders.values()].find(({ refunds }) => refunds.some((refund) => refund.id === id)),
    /** Unless there is one. @param {Order} order */
    add: (order) => orders.get(order.id) ?? write(order),
    /** When `change` throws, nothing is stored. @param {string} id @param {(order: Order) => Order} change */
    change(id, change) {
      const order = orders.get(id)
      if (order === undefined) throw new Error('There is no such order (yet), so nothing was stored.')
      const changed = change(order)
      return changed === order ? order : write(changed)
    },
  }
}

/** @param {string} path @returns {Order} */
function readOrder(path) {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8'))
  } catch {
    throw new Error(
      `${path} is damaged, so the shop does not start. Nothing was changed; bring back a copy of it.`,
    )
  }
}
