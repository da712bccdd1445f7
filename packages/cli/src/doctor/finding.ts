import { inspect } from 'node:util'
import type { CountedRate, StatusRules } from 'merchant-gateway'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { countOf, shellQuoted } from '../text.js'

export interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'warn' | 'fail' | 'skip'
  readonly message: string
  readonly fix?: string
  /** What a failure ends the program with. */
  readonly exit?: ExitCode
}

/** A finding without the name of its check. */
export type Judged = Omit<Finding, 'check'>

/** Reports a finding; nothing where there is nothing to say. */
export type Say = (check: string, judged: Judged | undefined) => void

export const ok = (message: string): Judged => ({ verdict: 'ok', message })
export const skip = (message: string): Judged => ({ verdict: 'skip', message })
export const warn = (message: string, fix: string): Judged => ({ verdict: 'warn', message, fix })
export const fail = (message: string, fix: string, exit: ExitCode = exitCodes.refused): Judged => {
  return { verdict: 'fail', message, fix, exit }
}
/** What fails because a setting is wrong. */
export const wrongSetting = (message: string, fix: string): Judged => fail(message, fix, exitCodes.usage)

/** Wrong settings come first, because they keep everything else from working; then a gateway that can't be reached. */
export function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const worst = [exitCodes.usage, exitCodes.unreachable, exitCodes.refused]
  return worst.find((code) => findings.some(({ exit }) => exit === code)) ?? exitCodes.ok
}

export function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict).length
  const parts = [`${count('ok')} passed`, countOf(count('warn'), 'warning'), `${count('fail')} failed`]
  return [...parts, ...(count('skip') > 0 ? [`${count('skip')} not checked`] : [])].join(', ')
}

export type TimestampUnit = 'seconds' | 'milliseconds'

/** Options that this gateway needs, by their names. */
export interface NeededOptions {
  timestampUnit?: TimestampUnit
  tokenField?: string
  tokenValiditySecs?: number
  rateLimit?: CountedRate
  statuses?: StatusRules
}

/** An option of the client, and the variable that says the same. */
export function optionText(name: string, value: unknown): string {
  return `${codeOf(name, value)} (${variableOf(name, value)})`
}

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
