import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SandboxParts } from '../../gateway/assemble.js'
import { callbackAgent } from '../../gateway/callbacks/delivery.js'
import type { ListenOptions, PageHandler } from '../../gateway/transports/server.js'
import { createApi } from './api.js'
import { asset, PageRefusal, readJson, securityHeaders, send, sendJson } from './http/endpoint.js'
import { listenerHeader, sendCallbacksTo } from './http/forward.js'
import { isTrustedCaller, mayUseApi } from './http/trusted-caller.js'

const BASE = '/_sandbox'
const API = 'api/'

const refusals = {
  address:
    'This page answers to its own address only, so nothing was done: call it 127.0.0.1 with its port, on another machine through a tunnel (ssh -L).',
  gateway: 'Callbacks and requests for the gateway have no business here.',
  link: 'Other sites may link to this page, and to nothing behind it.',
  listener: `The header ${listenerHeader} is missing: it says that this program takes the callbacks.`,
} as const

export function createPage(parts: SandboxParts, { host, keyFile }: ListenOptions): PageHandler {
  const api = createApi(parts, keyFile)
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    refuseStrangers(request, host)
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://sandbox.invalid')
    if (pathname === BASE) return redirect(response)
    const file = pathname.slice(BASE.length + 1)
    if (!file.startsWith(API)) return serveFile(request, response, file)
    if (!mayUseApi(request.headers)) throw new PageRefusal(403, refusals.link)
    const { method = 'GET', headers } = request
    const path = file.slice(API.length)
    if (method === 'GET' && path === 'callbacks') {
      if (headers[listenerHeader] === undefined) throw new PageRefusal(403, refusals.listener)
      return sendCallbacksTo(response, parts.forwarder)
    }
    const body = method === 'POST' ? await readJson(request) : undefined
    sendJson(response, await api({ method, path, query, body, origin: `http://${headers.host}` }))
  }
  return (request, response) => {
    const { url = '' } = request
    if (url !== BASE && !url.startsWith(`${BASE}/`) && !url.startsWith(`${BASE}?`)) return false
    response.on('error', () => {})
    void serve(request, response).catch((error: unknown) => fail(response, error))
    return true
  }
}

/** @throws for a page of another site, and for what a gateway's client or a callback sends ({@link PageRefusal}). */
function refuseStrangers({ headers, socket }: IncomingMessage, host: string | undefined): void {
  if (!isTrustedCaller(headers, socket.localPort ?? 0, host)) throw new PageRefusal(403, refusals.address)
  // The page sends callbacks on request: a callback that could ask for one would be sent without end.
  if (headers['x-api-version'] !== undefined || headers['user-agent'] === callbackAgent)
    throw new PageRefusal(403, refusals.gateway)
}

function serveFile({ method }: IncomingMessage, response: ServerResponse, path: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw new PageRefusal(405, 'Only GET.')
  const file = asset(path === '' ? 'index.html' : path)
  if (file === undefined) throw new PageRefusal(404, 'There is no such file.')
  send(response, 200, file)
}

function redirect(response: ServerResponse): void {
  response.writeHead(308, { ...securityHeaders, location: `${BASE}/`, 'content-length': 0 }).end()
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return
  const status = error instanceof PageRefusal ? error.status : 500
  // The connection is closed, because the rest of the body is not read.
  response.shouldKeepAlive = false
  sendJson(response, { message: error instanceof Error ? error.message : String(error) }, status)
}
