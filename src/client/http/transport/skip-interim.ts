import type { Socket } from 'node:net'

/**
 * Takes every interim answer (1xx) off the start of an answer. None needs asking for (RFC 9110, section 15.2),
 * and undici takes a `100 Continue` for the end of the connection, wherever it stands among others, which
 * would leave every create in doubt behind a proxy that sends it.
 *
 * @returns what to call when a request is being written: what comes from then on is its answer.
 */
export function skipInterim(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let atStart = false
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (!atStart || chunk === null) return chunk
      held = held === undefined ? chunk : Buffer.concat([held, chunk])
      const left = withoutInterim(held)
      held = left.bytes
      if (left.decided) {
        atStart = false
        held = undefined
        return left.bytes
      }
    }
  }
  return () => {
    atStart = true
    held = undefined
  }
}

/** No head of an interim answer is longer; what is, undici may judge. */
const longestHead = 16_384
const begins = 'HTTP/1.1 1'
/** 101 is none: it hands the connection over. */
const interim = /^HTTP\/1\.1 1(?!01)\d\d[ \r]$/
const statusLength = 'HTTP/1.1 100 '.length

/** What is left of the start of an answer; not decided while it may still be, or lead to, an interim one. */
function withoutInterim(bytes: Buffer): { readonly bytes: Buffer; readonly decided: boolean } {
  let rest = bytes
  for (;;) {
    const start = rest.toString('latin1', 0, statusLength).replace('/1.0', '/1.1')
    if (start.length < statusLength) {
      return { bytes: rest, decided: !begins.startsWith(start.slice(0, begins.length)) }
    }
    if (!interim.test(start)) return { bytes: rest, decided: true }
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { bytes: rest, decided: rest.length > longestHead }
    rest = rest.subarray(end + 4)
  }
}
