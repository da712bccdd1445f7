import type { Socket } from 'node:net'

/**
 * Takes every `100 Continue` off the start of an answer. It needs no asking for (RFC 9110, section 15.2),
 * and undici takes one for the end of the connection, which would leave every create in doubt behind a
 * proxy that sends it.
 *
 * @returns what to call when a request is being written: what comes from then on is its answer.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let atStart = false
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (!atStart || chunk === null) return chunk
      held = held === undefined ? chunk : Buffer.concat([held, chunk])
      const left = withoutContinue(held)
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

/** No head of a `100 Continue` is longer; what is, undici may judge. */
const longestHead = 16_384
const statusLine = 'HTTP/1.1 100 '

/** What is left of the start of an answer; not decided while it may still be, or lead to, a 100. */
function withoutContinue(bytes: Buffer): { readonly bytes: Buffer; readonly decided: boolean } {
  let rest = bytes
  for (;;) {
    const start = rest.toString('latin1', 0, statusLine.length)
    if (!statusLine.startsWith(start.replace('\r', ' ').replace('/1.0', '/1.1'))) {
      return { bytes: rest, decided: true }
    }
    const end = start.length < statusLine.length ? -1 : rest.indexOf('\r\n\r\n')
    if (end === -1) return { bytes: rest, decided: rest.length > longestHead }
    rest = rest.subarray(end + 4)
  }
}
