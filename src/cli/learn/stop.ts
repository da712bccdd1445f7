import type { ExitCode } from '../exit-codes.js'

/** Ends the questions to a gateway; what was learnt until then is kept. */
export class Stop extends Error {
  readonly exitCode: ExitCode

  /** @param message why, as a part of a sentence. */
  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}
