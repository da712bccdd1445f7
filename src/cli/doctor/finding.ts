import { type ExitCode, exitCodes } from '../exit-codes.js'
import { type Paint, printable, wrapped } from '../text.js'

/** One line of the doctor's report. */
export interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'warn' | 'fail' | 'skip'
  readonly says: string
  /** What to do about it. */
  readonly mend?: string
  /** What a failure ends the program with. */
  readonly exit?: ExitCode
}

export const ok = (check: string, says: string): Finding => ({ check, verdict: 'ok', says })
export const warn = (check: string, says: string, mend: string): Finding => ({
  check,
  verdict: 'warn',
  says,
  mend,
})
export const skip = (check: string, says: string): Finding => ({ check, verdict: 'skip', says })
export const fail = (
  check: string,
  says: string,
  mend: string,
  exit: ExitCode = exitCodes.refused,
): Finding => ({ check, verdict: 'fail', says, mend, exit })

const colours = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'grey' } as const

/** Where what a finding says begins, and where it goes on when a long word, such as a fingerprint, needs room. */
const [wide, narrow] = [20, 6]

/** A finding as text, no wider than a terminal; what comes after the arrow says what to do. */
export function linesOf({ check, verdict, says, mend }: Finding, paint: Paint, columns: number): string[] {
  const [first = '', ...others] = lined(
    `${verdict.padEnd(4)}  ${check.padEnd(13)} ${printable(says)}`,
    wide,
    columns,
  )
  const painted = paint(colours[verdict], first.slice(0, 4)) + first.slice(4)
  const mending =
    mend === undefined ? [] : lined(`${' '.repeat(wide)}-> ${printable(mend)}`, wide + 3, columns)
  return [painted, ...others, ...mending]
}

function lined(text: string, indent: number, columns: number): string[] {
  const longest = Math.max(...text.split(' ').map(({ length }) => length))
  return wrapped(text, columns, longest > columns - indent ? narrow : indent)
}

/** Wrong settings come first, because they keep everything else from working; then a gateway that can't be reached. */
export function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const exits = findings.map(({ exit }) => exit)
  const worst = [exitCodes.usage, exitCodes.unreachable, exitCodes.refused]
  return worst.find((code) => exits.includes(code)) ?? exitCodes.ok
}

export function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict).length
  const parts = [`${count('ok')} right`, `${count('warn')} to look at`, `${count('fail')} wrong`]
  if (count('skip') > 0) parts.push(`${count('skip')} not checked`)
  return parts.join(', ')
}
