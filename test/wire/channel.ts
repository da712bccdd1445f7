import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { Ending } from './faults.js'

/** One connection as its server has it: what is said on it, and how it can end. */
export interface Channel {
  /** In plain text. */
  readonly stream: Duplex
  /** Ends it when what was written has left. */
  end(by: Ending): void
}

export function plainChannel(raw: Socket): Channel {
  return { stream: raw, end: (by) => endSocket(raw, by) }
}

export interface HandshakeEnd {
  readonly after: 'client' | 'server'
  readonly at: number
  readonly by: Ending
}

/**
 * TLS over a socket that stays in our hands: Node's own does not let go of the connection below it, and a
 * reset is wanted in the middle of it.
 */
export function tlsChannel(raw: Socket, secureContext: SecureContext, handshakeEnd?: HandshakeEnd): Channel {
  const seen = { client: 0, server: 0 }
  /** What may still pass; the connection ends with the last byte of it. */
  const passes = (side: 'client' | 'server', bytes: Buffer): Buffer => {
    const before = seen[side]
    seen[side] += bytes.length
    if (handshakeEnd?.after !== side || seen[side] < handshakeEnd.at) return bytes
    return bytes.subarray(0, Math.max(0, handshakeEnd.at - before))
  }
  const isOver = () => handshakeEnd !== undefined && seen[handshakeEnd.after] >= handshakeEnd.at
  const below = new Duplex({
    read: () => void raw.resume(),
    write(chunk: Buffer, _encoding, done) {
      raw.write(passes('server', chunk), () => {
        if (isOver() && handshakeEnd !== undefined) endSocket(raw, handshakeEnd.by)
        done()
      })
    },
    final(done) {
      raw.end(done)
    },
    destroy(error, done) {
      raw.destroy()
      done(error)
    },
  })
  raw.on('data', (chunk) => {
    const bytes = passes('client', chunk)
    if (isOver() && handshakeEnd !== undefined) endSocket(raw, handshakeEnd.by)
    else if (!below.push(bytes)) raw.pause()
  })
  raw.on('end', () => below.push(null))
  raw.on('close', () => below.destroy())
  below.on('error', () => {})
  const stream = new TLSSocket(below, { isServer: true, secureContext })
  stream.on('error', () => raw.destroy())
  // Without the goodbye of TLS, as a connection ends that somebody cuts.
  return { stream, end: (by) => endSocket(raw, by) }
}

export function endSocket(raw: Socket, by: Ending): void {
  if (by === 'end') raw.end()
  // Node can't reset what it is ending already: it would never say that it is closed, and keep its handle for ever.
  else if (by === 'reset' && raw.writableEnded) raw.destroy()
  else if (by === 'reset') raw.resetAndDestroy()
}
