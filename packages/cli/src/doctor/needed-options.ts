import { inspect } from 'node:util'
import { shellQuoted } from '../text.js'
import type { NeededOptions } from './check.js'

/** An option of the client, and the variable that says the same. */
export function optionText(name: string, value: unknown): string {
  return `${codeOf(name, value)} (in the environment ${variableOf(name, value)})`
}

/** The options, ready to paste. */
export function linesOfNeeded(needed: NeededOptions): readonly string[] {
  const options = Object.entries(needed)
  if (options.length === 0) return ['This gateway needs no option.']
  return [
    'Options of the client for this gateway:',
    ...options.map(([name, value]) => `  ${codeOf(name, value)},`),
    'The same in the environment:',
    ...options.map(([name, value]) => `  ${variableOf(name, value)}`),
  ]
}

function codeOf(name: string, value: unknown): string {
  return `${name}: ${inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 })}`
}

/** As `GatewayClient.fromEnv` reads it: a text as it is, all else as JSON. */
function variableOf(name: string, value: unknown): string {
  const variable = `GATEWAY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
  return `${variable}=${shellQuoted(typeof value === 'string' ? value : JSON.stringify(value))}`
}
