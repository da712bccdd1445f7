import type { ExitCode } from '../exit-codes.js'

/** Ends the questions to a gateway; what was learnt until then is kept. */
export class Stop extends Error {
  readonly exitCode: ExitCode
  /** What to do about it: printed, and in no file. */
  readonly fix: string | undefined

  /** @param message why, as a part of a sentence. */
  constructor(message: string, exitCode: ExitCode, fix?: string) {
    super(message)
    this.exitCode = exitCode
    this.fix = fix
  }
}
