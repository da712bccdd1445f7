import { isGatewayError } from 'merchant-gateway'

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

/** Ends a command with one sentence. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message)
    this.exitCode = exitCode
  }
}

/** How many of a file's wrong lines are printed. */
export const mostShown = 20

/** The same for a file of which lines are wrong. */
export class WrongLines extends CommandFailed {
  /** The first of them. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[]

  constructor(message: string, problems: WrongLines['problems']) {
    super(message)
    this.problems = problems.slice(0, mostShown)
  }
}

/** Which code an error ends the program with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailed) return error.exitCode
  if (!isGatewayError(error)) return exitCodes.defect
  switch (error.code) {
    case 'configuration':
    case 'invalid_input':
    case 'signing':
      return exitCodes.usage
    case 'connection':
    case 'timeout':
      return exitCodes.unreachable
    default:
      return exitCodes.refused
  }
}

/** One sentence for stderr: never a stack. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (exitCodeOf(error) !== exitCodes.defect) return message
  return `this is a defect of merchant-gateway, please report it: ${message}`
}
