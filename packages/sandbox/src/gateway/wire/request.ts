/** Request headers as node:http gives them: lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface GatewayRequest {
  readonly method: string
  /** Path and query exactly as sent: nothing decoded, nothing normalised. */
  readonly path: string
  readonly headers: RequestHeaders
  readonly body: Uint8Array
  /** The body was longer than the limit and was not read to its end. */
  readonly oversized?: boolean
}

export function header(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}
