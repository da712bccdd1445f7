import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { CommandFailed } from '../exit-codes.js'
import { toAppend, withFile } from '../files.js'
import { isObject, jsonOf } from '../input/values.js'
import { readKnown } from './options.js'
import type { KnownPayment } from './types.js'

/** What a run has looked up so far: lines of JSON that are appended, so that a kill loses one at most. */
export class PartFile {
  readonly #path: string
  /** What a run that was cut off had seen. */
  readonly payments: readonly KnownPayment[]
  readonly #file: number

  /**
   * @param begins names the run: what belongs to another one is not gone on with.
   * @throws when it can't be used ({@link CommandFailed}).
   */
  constructor(path: string, begins: string) {
    this.#path = path
    this.#file = withFile(path, () => openSync(path, toAppend, 0o600))
    const [first, ...lines] = readFileSync(this.#file, 'utf8').split('\n').map(jsonOf)
    if (first === undefined) this.add({ begins })
    else if (!isObject(first) || first.begins !== begins) {
      closeSync(this.#file)
      throw new CommandFailed(
        `${path} is of a run that began with another opening; remove it, or finish that run first.`,
      )
    }
    // The last one may be cut off. What follows it begins on a line of its own.
    this.payments = lines.filter((line) => line !== undefined).map((line) => readKnown(line, path))
    if (lines.length > 0) writeSync(this.#file, '\n')
  }

  add(line: KnownPayment | { readonly begins: string }): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  /** @param isDone whether nobody will go on with it. */
  close(isDone: boolean): void {
    closeSync(this.#file)
    if (isDone) rmSync(this.#path, { force: true })
  }
}
