// @ts-check
// Orders in a file: a line for each change, and the last line of an order is the order. For one process.
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isOpen } from '../order.mjs'
import { noSuchOrder } from './storage.mjs'

/** @typedef {import('../order.mjs').Order} Order */

/** @param {string} folder @returns {Promise<import('./storage.mjs').Storage>} */
export async function fileStorage(folder) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'orders.jsonl')
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  await syncFolder(folder)
  const { orders: stored, bytes } = wholeLines(await file.readFile(), path)
  let end = bytes

  /** @type {Map<string, Order>} */
  const orders = new Map()
  /** @type {Map<string, string>} From the ids of payments to keys. */
  const keys = new Map()
  /** @param {Order} order */
  const keep = (order) => {
    orders.set(order.key, order)
    keys.set(order.payin.id, order.key)
    for (const { id } of order.refunds) keys.set(id, order.key)
  }
  for (const order of stored) keep(order)

  /** Behind the last whole line: what a write that failed has left there is overwritten. @param {Order} order */
  async function append(order) {
    const line = Buffer.from(`${JSON.stringify(order)}\n`)
    const { bytesWritten } = await file.write(line, 0, line.length, end)
    if (bytesWritten < line.length) throw new Error(`${path} could not be written: is the disk full?`)
    await file.datasync()
    end += line.length
    keep(order)
    return order
  }

  const oneAtATime = queue()
  return {
    add: (order) => oneAtATime(async () => orders.get(order.key) ?? append(order)),
    async find(ref) {
      const id = 'idPayin' in ref ? ref.idPayin : 'idPayout' in ref ? ref.idPayout : undefined
      return orders.get('key' in ref ? ref.key : (keys.get(id ?? '') ?? ''))
    },
    change: (key, change) =>
      oneAtATime(async () => {
        const order = orders.get(key)
        if (order === undefined) throw noSuchOrder(key)
        const changed = change(order)
        return changed === order ? order : append(changed)
      }),
    open: async () => [...orders.values()].filter(isOpen),
    close: () => oneAtATime(() => file.close()),
  }
}

/** A new file is there after a power cut only when its folder has been written too. @param {string} folder */
async function syncFolder(folder) {
  const handle = await open(folder, constants.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}

/**
 * The orders, and where the last whole line ends. Nobody was told of a line that was torn by a crash, so it is left
 * out; damage anywhere else is no crash's work.
 *
 * @param {Buffer} content @param {string} path
 */
function wholeLines(content, path) {
  const end = content.lastIndexOf('\n') + 1
  const lines = content.subarray(0, end).toString('utf8').split('\n').slice(0, -1)
  /** @type {Order[]} */
  const orders = []
  for (const [index, line] of lines.entries()) {
    try {
      orders.push(JSON.parse(line))
    } catch {
      if (index < lines.length - 1) {
        throw new Error(
          `${path}: line ${index + 1} is damaged. Nothing was changed; bring back a copy of it.`,
        )
      }
      return { orders, bytes: end - Buffer.byteLength(line) - 1 }
    }
  }
  return { orders, bytes: end }
}

/** Runs one after the other, whether the one before went well or not. */
function queue() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve()
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  return (work) => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }
}
