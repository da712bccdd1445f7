import { once } from 'node:events'
import { connect } from 'node:net'
import { pipeline } from 'node:stream'
import { createServer } from 'node:tls'
import { generate } from 'selfsigned'

const name = (value: string) => [{ name: 'commonName', value }]
const authority = await generate(name('The authority of a test'), {
  keySize: 2048,
  algorithm: 'sha256',
  extensions: [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true },
  ],
})
const { private: key, cert } = await generate(name('localhost'), {
  keySize: 2048,
  algorithm: 'sha256',
  ca: { key: authority.private, cert: authority.cert },
  extensions: [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ],
})

/** That of localhost, which the authority has signed. */
export const certificate = { key, cert }

/** The certificate with which a program trusts {@link tlsInFrontOf}, as PEM. */
export const authorityPem = authority.cert

/** Ends TLS in front of a server that speaks plain http. */
export async function tlsInFrontOf(address: string): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(address)
  const server = createServer(certificate, (socket) => {
    const behind = connect(Number(port), hostname)
    // One side that breaks off ends the other.
    pipeline(socket, behind, socket, () => {})
  })
  // A client that does not trust the certificate hangs up.
  server.on('tlsClientError', () => {})
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const bound = server.address()
  if (typeof bound !== 'object' || bound === null) throw new Error('no port')
  return {
    url: `https://localhost:${bound.port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}
