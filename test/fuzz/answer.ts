/** A response as a file of the corpus has it: the status, headers, an empty line, the body. */
export function readRefusal(bytes: Buffer): { readonly status: number; response(): Response } {
  const end = bytes.indexOf('\n\n')
  const [first = '', ...lines] = bytes.toString('latin1', 0, end === -1 ? bytes.length : end).split('\n')
  const given = Number.parseInt(first, 10)
  const status = given >= 200 && given <= 599 ? given : 200
  const body = end === -1 ? null : Uint8Array.from(bytes.subarray(end + 2))
  return {
    status,
    response() {
      const headers = new Headers()
      for (const line of lines) {
        const colon = line.indexOf(':')
        try {
          headers.append(line.slice(0, colon), line.slice(colon + 1))
        } catch {
          // No server can send it.
        }
      }
      return new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
    },
  }
}
