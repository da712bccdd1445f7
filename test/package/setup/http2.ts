import { once } from 'node:events'
import { request } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { certificate } from './tls.js'

/** Speaks HTTP/2 in front of a server that speaks HTTP/1.1 without TLS. A response that breaks off there does here. */
export async function http2InFrontOf(
  address: string,
): Promise<{ url: string; requests: () => number } & AsyncDisposable> {
  let requests = 0
  const server = createSecureServer(certificate, (asked, answer) => {
    requests++
    forward(new URL(asked.url, address), asked, answer)
  })
  // A client that hangs up is none of this test's business.
  server.on('sessionError', () => {})
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const bound = server.address()
  if (typeof bound !== 'object' || bound === null) throw new Error('no port')
  return {
    url: `https://localhost:${bound.port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

function forward(url: URL, asked: Http2ServerRequest, answer: Http2ServerResponse): void {
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith(':')))
  const behind = request(url, { method: asked.method, headers }, (answered) => {
    const { connection: ___, 'keep-alive': _, 'transfer-encoding': __, ...known } = answered.headers
    answer.writeHead(answered.statusCode ?? 500, known)
    answered.pipe(answer)
    answered.on('error', () => answer.stream.close())
  })
  behind.on('error', () => answer.stream.close())
  asked.pipe(behind)
}
