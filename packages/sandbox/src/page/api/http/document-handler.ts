import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import type { PageHandler } from '../../../gateway/transports/server.js'
import { openApiDocument } from '../../../openapi/document.js'

const PATH = '/_sandbox/openapi.json'

/**
 * Serves the OpenAPI document of the gateway as this sandbox is set. Anybody may read it, other sites in a browser
 * as well: it names nothing of the merchant's, and acts on nothing.
 */
export function createDocument(settings: SandboxSettings): PageHandler {
  let text: string | undefined
  return (request, response) => {
    if (request.url?.replace(/\?.*$/s, '') !== PATH) return false
    response.on('error', () => {})
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end()
      return true
    }
    text ??= JSON.stringify(openApiDocument({ ...settings, server: '' }))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    response.end(text)
    return true
  }
}
