import { CommanderError } from 'commander'
import { isGatewayError } from 'merchant-gateway'
import { type ExitCode, exitCodeOf, exitCodes, sentenceOf, WrongLines } from './exit-codes.js'

/** What `--json` prints of a command that failed. */
interface Failure {
  /** Of the error (docs/errors.md), or usage, refused, unreachable or defect. */
  readonly code: string
  readonly message: string
  readonly exitCode: ExitCode
  /** HTTP status of the gateway's response. */
  readonly status?: number
  /** The first wrong lines of a file. */
  readonly problems?: readonly { readonly line: number; readonly reason: string }[]
}

/** @param said what commander has printed of its own errors, as far as may be shown. */
export function failureOf(error: unknown, said: string): Failure {
  if (error instanceof CommanderError) {
    return { code: 'usage', message: said.replace(/^error: /, ''), exitCode: exitCodes.usage }
  }
  const exitCode = exitCodeOf(error)
  const known = isGatewayError(error)
  const status = known && 'status' in error ? error.status : undefined
  return {
    code: known ? error.code : nameOf(exitCode),
    message: sentenceOf(error),
    exitCode,
    ...(status === undefined ? {} : { status }),
    ...(error instanceof WrongLines ? { problems: error.problems } : {}),
  }
}

function nameOf(exitCode: ExitCode): string {
  return Object.entries(exitCodes).find(([, code]) => code === exitCode)?.[0] ?? 'defect'
}

/** Whether a line of JSON was asked for, also where the line of arguments is otherwise wrong. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).includes('--json')
}
