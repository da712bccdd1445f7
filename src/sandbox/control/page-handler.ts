import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageHandler } from '../transports/server.js'
import { createApi, type PageApi } from './api.js'
import { asset } from './assets.js'
import { Live } from './live.js'
import type { PageParts } from './parts.js'
import { PageRefusal, readJson, send, sendJson } from './responses.js'
import { isTrustedCaller } from './trusted-caller.js'

const BASE = '/_sandbox'

/** Serves the sandbox's page and what it asks for, all under /_sandbox/, which no endpoint of the gateway is. */
export function createPage(parts: PageParts): PageHandler {
  const live = new Live(parts)
  const api = createApi(parts)
  return (request, response) => {
    const { url = '' } = request
    if (url !== BASE && !url.startsWith(`${BASE}/`) && !url.startsWith(`${BASE}?`)) return false
    response.on('error', () => {})
    void serve(request, response, parts, live, api).catch((error: unknown) => fail(response, error))
    return true
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: PageParts,
  live: Live,
  api: PageApi,
): Promise<void> {
  if (!isTrustedCaller(request.headers, request.socket.localPort ?? 0, parts.host)) {
    throw new PageRefusal(403, 'This page answers to its own address only.')
  }
  // Callbacks carry this header and browsers do not. Without this check two sandboxes could send each other
  // callbacks without end.
  if (request.headers['x-api-version'] !== undefined) {
    throw new PageRefusal(403, 'Callbacks and requests for the gateway have no business here.')
  }
  const { method = 'GET' } = request
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://sandbox.invalid')
  if (pathname === BASE) {
    response.writeHead(308, { location: `${BASE}/`, 'content-length': 0 })
    response.end()
    return
  }
  const path = pathname.slice(BASE.length + 1)
  if (path === 'api/live' && method === 'GET') {
    if (!live.join(response)) throw new PageRefusal(503, 'Too many pages are open.')
    return
  }
  if (path.startsWith('api/')) {
    const body = method === 'POST' ? await readJson(request) : undefined
    sendJson(response, api({ method, path: path.slice('api/'.length), query: searchParams, body }))
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
