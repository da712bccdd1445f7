// @ts-check
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/**
 * Counts the requests that go to one gateway, by listening to undici: what is counted was written to a
 * socket, token requests and retries included.
 */
export class Meter {
  #baseUrl = new URL('http://localhost')
  /** @type {Map<string, number>} */
  #byRoute = new Map()
  #requests = 0
  #forTokens = 0

  #onRequest = (/** @type {unknown} */ message) => {
    const request = requestOf(message)
    if (request === undefined || request.origin !== this.#baseUrl.origin) return
    const route = routeOf(request.method, request.path, this.#baseUrl.pathname.replace(/\/+$/, ''))
    this.#requests++
    if (route.includes('/auth-tokens')) this.#forTokens++
    this.#byRoute.set(route, (this.#byRoute.get(route) ?? 0) + 1)
  }

  /** @param {string} baseUrl */
  start(baseUrl) {
    this.#baseUrl = new URL(baseUrl)
    subscribe('undici:client:sendHeaders', this.#onRequest)
  }

  stop() {
    unsubscribe('undici:client:sendHeaders', this.#onRequest)
  }

  /** How much has been asked for so far. */
  reading() {
    return { requests: this.#requests, forTokens: this.#forTokens, atMs: performance.now() }
  }

  /** Routes and how often each was asked for, in the order of their first request. */
  routes() {
    return [...this.#byRoute]
  }
}

/**
 * @param {unknown} message
 * @returns {{ origin: string, method: string, path: string } | undefined}
 */
function requestOf(message) {
  if (typeof message !== 'object' || message === null || !('request' in message)) return undefined
  const { request } = message
  if (typeof request !== 'object' || request === null) return undefined
  if (!('origin' in request && 'method' in request && 'path' in request)) return undefined
  return { origin: String(request.origin), method: String(request.method), path: String(request.path) }
}

/** @param {string} method @param {string} path @param {string} basePath */
function routeOf(method, path, basePath) {
  const [local = ''] = path.slice(basePath.length).split('?')
  const route = local
    .replace(/^\/payins\/[^/!][^/]*/, '/payins/{idPayin}')
    .replace(/^\/payouts\/[^/!][^/]*/, '/payouts/{idPayout}')
  return `${method} ${route}`
}
