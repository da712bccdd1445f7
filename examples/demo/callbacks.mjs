// @ts-check
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'

/** A merchant's callback endpoint on this machine, with the package's receiver behind it. */
export class CallbackDesk {
  #server = createServer()
  /** @type {CallbackReceiver | undefined} */
  #receiver
  /** What the receiver told of each payment: the statuses, in their order. @type {Map<string, string[]>} */
  #told = new Map()
  /** @type {Map<string, () => void>} */
  #waiting = new Map()

  /** @param {import('merchant-gateway').GatewayClient} client */
  async open(client) {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    this.#receiver = new CallbackReceiver({
      client,
      publicUrl: `http://127.0.0.1:${port}/callbacks`,
      secrets: [randomBytes(32)],
      onPayin: (payin, { idPayin }) => this.#onPayment(idPayin, statusOf(payin)),
      onPayout: (payout, { idPayout }) => this.#onPayment(idPayout, statusOf(payout)),
    })
    this.#server.on('request', this.#receiver.node())
  }

  /**
   * Resolves to the statuses that callbacks have told of a payment, as soon as there is one.
   *
   * @param {string} id @param {number} limitMs @param {AbortSignal} signal
   * @returns {Promise<readonly string[]>}
   */
  told(id, limitMs, signal) {
    const told = this.#told.get(id)
    if (told !== undefined) return Promise.resolve(told)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiting.delete(id)
      }
      const onAbort = () => {
        leave()
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        leave()
        reject(new Error(`No callback came within ${limitMs / 1000} s.`))
      }, limitMs)
      signal.addEventListener('abort', onAbort)
      this.#waiting.set(id, () => {
        leave()
        resolve(this.#told.get(id) ?? [])
      })
    })
  }

  async close() {
    await this.#receiver?.drain()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** @param {string} id @param {string} [status] */
  #onPayment(id, status = 'not shown') {
    this.#told.set(id, [...(this.#told.get(id) ?? []), status])
    this.#waiting.get(id)?.()
  }
}
