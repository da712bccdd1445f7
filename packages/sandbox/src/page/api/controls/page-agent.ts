/** By this header the page's own requests are known in the log. */
const PAGE_AGENT = 'merchant-gateway sandbox page'

/** What a request of the page itself carries. */
export const pageHeaders = { 'user-agent': PAGE_AGENT } as const

/** Whether the page itself has sent a request. */
export function isFromPage(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['user-agent'] === PAGE_AGENT
}
