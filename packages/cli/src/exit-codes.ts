import { type ErrorCodeMeaning, errorCodes, isGatewayError } from 'merchant-gateway'
import type { LineProblem } from './files/lines.js'

/** What a shell script can tell apart. `docs/command-line.md` has the table. */
export const exitCodes = {
  ok: 0,
  /** The gateway, the merchant's handler or a check said no. */
  refused: 1,
  /** Wrong arguments, or an environment that can't be right. */
  usage: 2,
  /** Nobody answered. */
  unreachable: 3,
  /** A defect of this program: EX_SOFTWARE of sysexits. */
  defect: 70,
  /** 128 and the number of SIGHUP, SIGINT, SIGPIPE and SIGTERM, as shells have it. */
  hungUp: 129,
  interrupted: 130,
  readerGone: 141,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Of the client's errors. */
const codesByOrigin: Readonly<Record<ErrorCodeMeaning['from'], ExitCode>> = {
  caller: exitCodes.usage,
  network: exitCodes.unreachable,
  gateway: exitCodes.refused,
  client: exitCodes.refused,
}

/** Ends a command with one sentence. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode
  /** The first lines of a file that are wrong. */
  readonly problems: readonly LineProblem[] | undefined

  constructor(message: string, exitCode: ExitCode = exitCodes.usage, problems?: readonly LineProblem[]) {
    super(message)
    this.exitCode = exitCode
    this.problems = problems?.slice(0, mostShown)
  }
}

/** How many of a file's wrong lines are printed. */
export const mostShown = 20

/** Which code an error ends the program with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailed) return error.exitCode
  return isGatewayError(error) ? codesByOrigin[errorCodes[error.code].from] : exitCodes.defect
}

/** One sentence for stderr: never a stack. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (exitCodeOf(error) !== exitCodes.defect) return message
  return `this is a defect of merchant-gateway, please report it: ${message}`
}

/** What `--json` prints of a command that failed (docs/command-line.md). */
export function failureOf(error: unknown) {
  const exitCode = exitCodeOf(error)
  const [name = 'defect'] = Object.entries(exitCodes).find(([, code]) => code === exitCode) ?? []
  return {
    code: isGatewayError(error) ? error.code : name,
    message: sentenceOf(error),
    exitCode,
    status: isGatewayError(error) && 'status' in error ? error.status : undefined,
    problems: error instanceof CommandFailed ? error.problems : undefined,
  }
}
