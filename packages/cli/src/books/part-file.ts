import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import { CommandFailed } from '../exit-codes.js'
import { withFile } from '../files.js'
import type { BooksEntry } from './index.js'
import { readEntry } from './read-entry.js'

// A link that somebody has put there would be written through.
const toAppend = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** What a close has looked up so far: lines of JSON that are appended, so that a kill loses one at most. */
export class PartFile {
  readonly path: string
  /** What a close that was cut off had seen. */
  readonly entries: readonly BooksEntry[]
  readonly #file: number

  /**
   * @param begins names the close: what belongs to another one is not gone on with.
   * @throws {CommandFailed} when it can't be used.
   */
  constructor(path: string, begins: string) {
    this.path = path
    this.#file = withFile(path, () => openSync(path, toAppend, 0o600))
    const [first, ...lines] = readFileSync(this.#file, 'utf8').split('\n').map(jsonOf)
    if (first === undefined) this.#append({ begins })
    else if (!isObject(first) || first.begins !== begins) {
      closeSync(this.#file)
      throw new CommandFailed(
        `${path} is of a close that began with another opening; remove it, or finish that close first.`,
      )
    }
    // The last one may be cut off. What follows it begins on a line of its own.
    this.entries = lines.filter((line) => line !== undefined).map((line) => readEntry(line, path))
    if (lines.length > 0) writeSync(this.#file, '\n')
  }

  add(entry: BooksEntry): void {
    this.#append(entry)
  }

  #append(line: object): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  /** @param isDone whether nobody will go on with it. */
  close(isDone: boolean): void {
    closeSync(this.#file)
    if (isDone) rmSync(this.path, { force: true })
  }
}
