/** A request as it stands in the bytes of a connection. */
export interface ReadRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** How many bytes it has. */
  readonly length: number
}

/** Method and path, once its first line is there. */
export function startOf(bytes: Buffer): { readonly method: string; readonly path: string } | undefined {
  const end = bytes.indexOf('\r\n')
  if (end === -1) return undefined
  const [method = '', path = ''] = bytes.toString('latin1', 0, end).split(' ')
  return { method, path }
}

/** The request at the start of these bytes, once all of it is there. */
export function readRequest(bytes: Buffer): ReadRequest | undefined {
  const start = startOf(bytes)
  const end = bytes.indexOf('\r\n\r\n')
  if (start === undefined || end === -1) return undefined
  const lines = bytes.toString('latin1', 0, end).split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  return { ...start, headers, body: bytes.subarray(end + 4, length), length }
}
