/** What of a request's headers says that a browser sends it, and for which page; the headers of `node:http` fit. */
export type BrowserHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Every request for the gateway has one of them, and a page can't add them for another site without being asked. */
const headersOfTheGateway = ['x-api-version', 'authorization', 'x-signature']

/**
 * Whether a page of another site has made the browser send a request: a form, a picture, a frame, or the question
 * whether it may send more. Such a request could do nothing, since it has no token; but it would use up the rate
 * limit, meet the faults that a test has armed, and stand in the log.
 *
 * A server that hands on a browser's headers has added those of the gateway, and programs send no `Origin`.
 */
export function isOfForeignPage(headers: BrowserHeaders): boolean {
  if (headersOfTheGateway.some((name) => headers[name] !== undefined)) return false
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && origin !== `http://${String(host)}`
}
