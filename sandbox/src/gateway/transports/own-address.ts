import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The hosts by which a server listens on all addresses. */
export const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Where a sandbox listens, so that it sends no callback to itself. */
export class OwnAddress {
  #listening: { readonly host: string; readonly port: number } | undefined

  begin(host: string, port: number): void {
    this.#listening = { host: host.toLowerCase(), port }
  }

  end(): void {
    this.#listening = undefined
  }

  /** Whether a URL leads to the sandbox itself, by any name that this machine has for itself. */
  covers(url: string): boolean {
    if (this.#listening === undefined || !URL.canParse(url)) return false
    const { hostname, port, protocol } = new URL(url)
    const { host, port: own } = this.#listening
    if (Number(port || (protocol === 'https:' ? 443 : 80)) !== own) return false
    const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    if (name === host || isLoopbackName(name) || isMappedLoopback(name) || everyAddress.has(name)) return true
    return everyAddress.has(host) && isOfThisMachine(name)
  }
}

/** Whether a name or address, without brackets, is always this machine. */
export function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}

/** 127.0.0.0/8 as an IPv6 address, in the form that URL gives it. */
function isMappedLoopback(name: string): boolean {
  return /^::ffff:7f[0-9a-f]{2}:/.test(name)
}

function isOfThisMachine(name: string): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address.toLowerCase() === name),
  )
}
