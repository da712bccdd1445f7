import { createServer } from 'node:http'

const hostname = '127.0.0.1'

/**
 * Serves callbacks by the runtime's own server. `mount` makes the receiver when the address is known.
 * @param {(url: string) => import('merchant-gateway/callbacks').CallbackReceiver} mount
 * @returns {Promise<() => unknown>} what ends the server
 */
export async function serve(mount) {
  if ('Bun' in globalThis) {
    const server = globalThis.Bun.serve({ port: 0, hostname, fetch: (request) => callbacks.fetch(request) })
    const callbacks = mount(`http://${hostname}:${server.port}`)
    return () => server.stop()
  }
  if ('Deno' in globalThis) {
    const options = { port: 0, hostname, onListen() {} }
    const server = globalThis.Deno.serve(options, (request) => callbacks.fetch(request))
    const callbacks = mount(`http://${hostname}:${server.addr.port}`)
    return () => server.shutdown()
  }
  const server = createServer()
  await new Promise((resolve) => server.listen(0, hostname, resolve))
  server.on('request', mount(`http://${hostname}:${server.address().port}`).node())
  return () => server.close()
}
