import type { Io } from './io.js'
import { printable } from './text.js'

/** What a command says in words of its own. */
const saidElsewhere: Readonly<Record<string, readonly string[]>> = {
  doctor: ['MERCHANT_GATEWAY_CLOCK', 'MERCHANT_GATEWAY_TLS', 'MERCHANT_GATEWAY_TEST_PAYMENT'],
}

/** Prints warnings of the client as one line each, without the number of the process and where they come from. */
export function printWarnings(io: Io, [command = '']: readonly string[]): void {
  const said = Object.hasOwn(saidElsewhere, command) ? (saidElsewhere[command] ?? []) : []
  process.removeAllListeners('warning')
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    if (!said.includes(warning.code ?? '')) io.note(`warning: ${printable(warning.message)}`)
  })
}
