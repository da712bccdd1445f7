// @ts-check
// Both sides in one window, for demos: the shop, and the gateway's page. That page lets nobody frame it, so this
// server hands it on as its own, which it may frame.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'

const page = readFileSync(new URL('side-by-side.html', import.meta.url), 'utf8')

/** @param {{ port: number, gateway: string }} options */
export async function openSideBySide({ port, gateway }) {
  const { host: gatewayHost, hostname, port: gatewayPort } = new URL(gateway)
  let shop = ''
  const server = createServer((request, response) => {
    const { host, origin } = request.headers
    // Under a name that isn't ours, a web site would look at it (DNS rebinding).
    if (host === undefined || !ownHosts.has(host)) return response.writeHead(403).end()
    if (request.url === '/') return sendPage(response)
    const headers = { ...request.headers, host: gatewayHost }
    if (origin === `http://${host}`) headers.origin = gateway
    const { method, url: path } = request
    const passed = ask({ hostname, port: gatewayPort, method, path, headers }, (answer) => {
      const policy = answer.headers['content-security-policy']
      const own = policy && {
        'content-security-policy': String(policy).replace(/frame-ancestors [^;]*/, "frame-ancestors 'self'"),
      }
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...own })
      answer.pipe(response)
    })
    // The gateway has ended, or the browser has gone.
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const ownHosts = new Set(['127.0.0.1', 'localhost'].map((name) => `${name}:${address.port}`))

  /** @param {import('node:http').ServerResponse} response */
  function sendPage(response) {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self' ${shop}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
    })
    response.end(page.replace('{shop}', `${shop}/`))
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    /** @param {string} url the shop's */
    show(url) {
      shop = url
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
