// @ts-check
// Where the orders are kept: one small interface, two implementations.

/**
 * @typedef {import('../order.mjs').Order} Order
 * @typedef {{ key: string } | { idPayin: string } | { idPayout: string }} OrderRef The order of a payment is found by the id of any of its payments.
 *
 * @typedef {object} Storage Each promise resolves when what it says is on the disk, and not before.
 * @property {(order: Order) => Promise<Order>} add stores it, unless there is one with its key: the one that there is
 * @property {(ref: OrderRef) => Promise<Order | undefined>} find
 * @property {(key: string, change: (order: Order) => Order) => Promise<Order>} change one at a time for each order;
 *   rejects, and stores nothing, when `change` throws
 * @property {() => Promise<Order[]>} open the orders that are open
 * @property {() => Promise<void>} close
 */

/** For a `change` or an `add` of what is not there. @param {string} key */
export function noSuchOrder(key) {
  return new Error(`There is no order with the key ${key.slice(0, 4)}….`)
}
