/** What a shell script can tell apart. `docs/command-line.md` has the table. */
export const exitCodes = {
  ok: 0,
  /** The sandbox, the merchant's handler or a rehearsal said no. */
  refused: 1,
  /** Wrong arguments, or an environment that can't be right. */
  usage: 2,
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

export class CommandFailed extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message)
    this.exitCode = exitCode
  }
}

/** What ended a command, for `--json` and in one sentence: never a stack. */
export function failureOf(error: unknown): { code: string; message: string; exitCode: ExitCode } {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof CommandFailed)) {
    const defect = `this is a defect of merchant-gateway-sandbox, please report it: ${message}`
    return { code: 'defect', message: defect, exitCode: exitCodes.defect }
  }
  const { exitCode } = error
  const code = Object.entries(exitCodes).find(([, one]) => one === exitCode)?.[0] ?? 'defect'
  return { code, message, exitCode }
}

const mayNot = 'may not be accessed. Give this user the right to it, or name another file'

const problems: Readonly<Partial<Record<string, string>>> = {
  EACCES: mayNot,
  EEXIST: 'exists already. Name another file',
  EISDIR: 'is a directory. Name a file in it',
  ELOOP: 'is a link, and what it leads to may be another file. Name that file itself',
  ENOENT: 'does not exist. Name a file that is there',
  ENOSPC: 'does not fit on the disk. Make room, or name a file elsewhere',
  ENOTDIR: 'is not in a directory. Correct its path',
  EPERM: mayNot,
  NOT_A_FILE: 'is a pipe and not a file. Name a file',
}

/** @throws naming what could not be done with which file ({@link CommandFailed}). */
export function withFile<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CommandFailed(`${file} ${problems[code] ?? 'cannot be used. Name another file'}.`)
  }
}

const networkSentences: Readonly<Partial<Record<string, string>>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
  TIMEOUT: 'nobody answered in time',
  UND_ERR_SOCKET: 'the connection was cut',
}

export function networkProblem(error: unknown): string {
  const code = networkCode(error)
  return networkSentences[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`)
}

function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  return 'code' in error && typeof error.code === 'string' ? error.code : networkCode(error.cause)
}
