import { type ExitCode, exitCodes } from '../exit-codes.js'
import { type Paint, printable } from '../text.js'

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

/** A finding as text; a second line says how to mend it. */
export function linesOf({ check, verdict, says, mend }: Finding, paint: Paint): string[] {
  const line = `${paint(colours[verdict], verdict.padEnd(4))}  ${check.padEnd(13)} ${printable(says)}`
  return mend === undefined ? [line] : [line, `${' '.repeat(20)}-> ${printable(mend)}`]
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
