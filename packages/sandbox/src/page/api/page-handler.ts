import type { IncomingMessage, ServerResponse } from 'node:http'
import { callbackAgent } from '../../gateway/callbacks/delivery.js'
import type { PageHandler } from '../../gateway/transports/server.js'
import { createApi, type PageApi } from './api.js'
import { asset } from './http/assets.js'
import { listenerHeader, sendCallbacksTo } from './http/forward.js'
import { PageRefusal, readJson, securityHeaders, send, sendJson } from './http/responses.js'
import { isTrustedCaller, mayUseApi } from './http/trusted-caller.js'
import type { PageParts } from './parts.js'

const BASE = '/_sandbox'

/** Serves the sandbox's page and what it asks for, all under /_sandbox/, which no endpoint of the gateway is. */
export function createPage(parts: PageParts): PageHandler {
  const api = createApi(parts)
  return (request, response) => {
    const { url = '' } = request
    if (url !== BASE && !url.startsWith(`${BASE}/`) && !url.startsWith(`${BASE}?`)) return false
    response.on('error', () => {})
    void serve(request, response, parts, api).catch((error: unknown) => fail(response, error))
    return true
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: PageParts,
  api: PageApi,
): Promise<void> {
  if (!isTrustedCaller(request.headers, request.socket.localPort ?? 0, parts.host)) {
    throw new PageRefusal(
      403,
      'This page answers to its own address only, so nothing was done: call it 127.0.0.1 with its port, on another machine through a tunnel (ssh -L).',
    )
  }
  // The page sends callbacks on request: a callback that could ask for one would be sent without end.
  const { 'x-api-version': version, 'user-agent': agent } = request.headers
  if (version !== undefined || agent === callbackAgent) {
    throw new PageRefusal(403, 'Callbacks and requests for the gateway have no business here.')
  }
  const { method = 'GET' } = request
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://sandbox.invalid')
  if (pathname === BASE) {
    response.writeHead(308, { ...securityHeaders, location: `${BASE}/`, 'content-length': 0 })
    response.end()
    return
  }
  const path = pathname.slice(BASE.length + 1)
  if (path.startsWith('api/') && !mayUseApi(request.headers)) {
    throw new PageRefusal(403, 'Other sites may link to this page, and to nothing behind it.')
  }
  if (path === 'api/callbacks' && method === 'GET') {
    if (request.headers[listenerHeader] === undefined) {
      throw new PageRefusal(
        403,
        `The header ${listenerHeader} is missing: it says that this program takes the callbacks.`,
      )
    }
    sendCallbacksTo(response, parts.forwarder)
    return
  }
  if (path.startsWith('api/')) {
    const body = method === 'POST' ? await readJson(request) : undefined
    sendJson(response, await api({ method, path: path.slice('api/'.length), query: searchParams, body }))
    return
  }
  if (method !== 'GET' && method !== 'HEAD') throw new PageRefusal(405, 'Only GET.')
  const file = asset(path === '' ? 'index.html' : path)
  if (file === undefined) throw new PageRefusal(404, 'There is no such file.')
  send(response, 200, file.type, file.bytes)
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return
  const status = error instanceof PageRefusal ? error.status : 500
  // The connection is closed, because the rest of the body is not read.
  response.shouldKeepAlive = false
  sendJson(response, { message: error instanceof Error ? error.message : String(error) }, status)
}
