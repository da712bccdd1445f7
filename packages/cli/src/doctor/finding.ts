import { type ExitCode, exitCodes } from '../exit-codes.js'
import { type Paint, printable, wrapped } from '../text.js'

/** One line of the doctor's report. */
export interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
  /** What a failure ends the program with. */
  readonly exit?: ExitCode
}

/** A finding under the name of its check, or under one of its own. */
export type Judged = Omit<Finding, 'check'> & { readonly check?: string }

export const ok = (message: string): Judged => ({ verdict: 'ok', message })
export const skip = (message: string): Judged => ({ verdict: 'skip', message })
export const warn = (message: string, fix: string): Judged => ({ verdict: 'warn', message, fix })
export const fail = (message: string, fix: string, exit: ExitCode = exitCodes.refused): Judged => {
  return { verdict: 'fail', message, fix, exit }
}
/** What fails because a setting is wrong. */
export const wrongSetting = (message: string, fix: string): Judged => fail(message, fix, exitCodes.usage)

const colours = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'grey' } as const

/** Where what a finding says begins, and where it goes on when a long word, such as a fingerprint, needs room. */
const [wide, narrow] = [20, 6]

/** A finding as text, no wider than a terminal; what comes after the arrow says what to do. */
export function linesOf({ check, verdict, message, fix }: Finding, paint: Paint, columns: number): string[] {
  const [first = '', ...others] = lined(
    `${verdict.padEnd(4)}  ${check.padEnd(13)} ${printable(message)}`,
    wide,
    columns,
  )
  const painted = paint(colours[verdict], first.slice(0, 4)) + first.slice(4)
  const fixLines =
    fix === undefined ? [] : lined(`${' '.repeat(wide)}-> ${printable(fix)}`, wide + 3, columns)
  return [painted, ...others, ...fixLines]
}

function lined(text: string, indent: number, columns: number): string[] {
  const longest = Math.max(...text.split(' ').map(({ length }) => length))
  return wrapped(text, columns, longest > columns - indent ? narrow : indent)
}

/** Wrong settings come first, because they keep everything else from working; then a gateway that can't be reached. */
export function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const worst = [exitCodes.usage, exitCodes.unreachable, exitCodes.refused]
  return worst.find((code) => findings.some(({ exit }) => exit === code)) ?? exitCodes.ok
}

export function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict).length
  const parts = [`${count('ok')} right`, `${count('warn')} to look at`, `${count('fail')} wrong`]
  if (count('skip') > 0) parts.push(`${count('skip')} not checked`)
  return parts.join(', ')
}
