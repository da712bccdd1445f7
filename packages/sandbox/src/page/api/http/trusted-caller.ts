import { isIP } from 'node:net'

/** What of a request's headers says who is calling; the headers of `node:http` fit. */
export interface CallerHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly 'sec-fetch-mode'?: string | string[] | undefined
}

const DEFAULT_PORT = 80
/** The hosts by which a server listens on all addresses. */
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/**
 * Whether a request to the sandbox's own pages and buttons may come from where it says. A web site that is
 * open in the same browser must neither read nor press anything:
 *
 * - `Host` has to be a loopback name and this server's port, because a foreign name that resolves to this
 *   machine (DNS rebinding) would make the site "same origin";
 * - `Origin`, where there is one, has to be this very server;
 * - `Sec-Fetch-Site` must not say that another site asks. Another port of this machine may link to the page,
 *   and do nothing else.
 *
 * Programs that are no browser send neither `Origin` nor `Sec-Fetch-Site`, and pass.
 *
 * @param port the port that the server listens on
 * @param host the host that the server listens on; its name is then trusted as well, and for all addresses
 *   (`0.0.0.0`) every numeric one, since a name is what rebinding needs
 * @example
 * if (!isTrustedCaller(request.headers, port)) response.writeHead(403).end()
 */
export function isTrustedCaller(headers: CallerHeaders, port: number, host = '127.0.0.1'): boolean {
  const called = headers.host?.toLowerCase()
  if (called === undefined || !isOwnAddress(called, port, host.toLowerCase())) return false
  if (headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${called}`) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return site === 'same-site' && headers['sec-fetch-mode'] === 'navigate'
}

/** A link of another port of this machine leads to the page itself only. */
export function mayUseApi({ 'sec-fetch-site': site }: CallerHeaders): boolean {
  return site === undefined || site === 'same-origin' || site === 'none'
}

function isOwnAddress(called: string, port: number, host: string): boolean {
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/.exec(called)
  if (parts === null || Number(parts[2] ?? DEFAULT_PORT) !== port) return false
  const name = (parts[1] ?? '').replace(/^\[(.*)\]$/, '$1')
  if (isLoopbackName(name) || name === host) return true
  return everyAddress.has(host) && isIP(name) !== 0
}

/** Whether a name or address, without brackets, is always this machine. */
function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}
