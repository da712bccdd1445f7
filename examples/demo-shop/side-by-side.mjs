// @ts-check
// For demos: the shop and the gateway's page in one window, at /both. The gateway lets nobody frame its page, so the
// shop's server hands it on as its own, which it may frame.
import { request as ask } from 'node:http'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Harbour Tea and its gateway</title>
    <link rel="icon" href="data:," />
    <style>
      body { display: flex; height: 100dvh; margin: 0; }
      iframe { flex: 3; border: 0; border-left: 1px solid gray; }
      iframe:first-child { flex: 2; min-width: min(360px, 100%); border: 0; }
      @media (max-width: 800px) { body { flex-direction: column; } }
    </style>
  </head>
  <body>
    <iframe src="/" title="The shop, as its customer sees it"></iframe>
    <iframe src="/_sandbox/" title="The gateway’s side"></iframe>
  </body>
</html>
`

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/**
 * @param {string} gateway its address
 * @returns {import('./web.mjs').Demo['answers']}
 */
export function sideBySide(gateway) {
  const { host: gatewayHost, hostname, port } = new URL(gateway)

  return (request, response) => {
    const { url: path = '', method, socket } = request
    if (path !== '/both' && !path.startsWith('/_sandbox/')) return false
    // Under a name that isn't ours, a web site would look at it (DNS rebinding).
    const { host = '', origin } = request.headers
    const isOurs = ['127.0.0.1', 'localhost'].some((name) => host === `${name}:${socket.localPort}`)
    if (!isOurs) response.writeHead(403).end()
    else if (path === '/both') response.writeHead(200, pageHeaders).end(page)
    else {
      const headers = {
        ...request.headers,
        host: gatewayHost,
        ...(origin === `http://${host}` && { origin: gateway }),
      }
      const passed = ask({ hostname, port, method, path, headers }, (answer) => {
        const policy = String(answer.headers['content-security-policy'])
        const own = policy.replace(/frame-ancestors [^;]*/, "frame-ancestors 'self'")
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-security-policy': own })
        answer.pipe(response)
      })
      // The gateway has ended, or the browser has gone.
      passed.on('error', () => response.destroy())
      response.on('close', () => passed.destroy())
      request.pipe(passed)
    }
    return true
  }
}
