import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { fileProblem } from '../files.js'
import { type Entry, entryOf, Results } from './results.js'

/**
 * The answers to a file of payouts, appended line by line. An entry is on the disk when its promise
 * resolves; those that come while the disk is busy go there together.
 */
export class ResultsFile {
  readonly results: Results
  readonly #path: string
  readonly #file: FileHandle
  #waiting: string[] = []
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, file: FileHandle, results: Results) {
    this.#path = path
    this.#file = file
    this.results = results
  }

  /**
   * Opens the file, or makes it. A last line that a killed process has not finished is taken away.
   *
   * @throws {CommandFailed} when it can't be read, or another line makes no sense.
   */
  static async open(path: string): Promise<ResultsFile> {
    const earlier = await readResults(path)
    const file = await attempt(path, () => open(path, 'a', 0o600))
    try {
      await attempt(path, () => file.truncate(earlier?.length ?? 0))
      if (earlier !== undefined) return new ResultsFile(path, file, earlier.results)
      const begun: Entry = { event: 'begun', version: 1, salt: randomBytes(16).toString('hex'), at: now() }
      const made = new ResultsFile(path, file, new Results(begun.salt))
      await attempt(path, async () => {
        await made.append(begun)
        await syncFolder(path)
      })
      return made
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** @throws when the disk does not take it, and then for every later entry: what follows would have a hole before it. */
  append(entry: Entry): Promise<void> {
    this.results.add(entry)
    this.#waiting.push(`${JSON.stringify(entry)}\n`)
    // One write is under way and the next one takes all that has come meanwhile.
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join('')
    this.#waiting = []
    try {
      await this.#file.appendFile(text)
      await this.#file.datasync()
    } catch (error) {
      throw new CommandFailed(
        `${this.#path} ${fileProblem(error)}, so no further payout was sent; mend that and run this again, which asks for the rest under the same ids.`,
        exitCodes.refused,
      )
    }
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#file.close()
  }
}

/** What a results file says; undefined where there is none. */
export async function readResults(
  path: string,
): Promise<{ readonly results: Results; readonly length: number } | undefined> {
  const bytes = await attempt(path, () => readFile(path)).catch((error: unknown) => {
    if (error instanceof CommandFailed && error.cause === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  // What stands after the last line break was being written when the process was killed.
  const length = bytes.lastIndexOf('\n') + 1
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1)
  const [first, ...others] = lines.map((line, index) => readable(line, path, index + 1))
  if (first === undefined) return undefined
  if (first.event !== 'begun') throw unreadable(path, 1)
  const results = new Results(first.salt)
  for (const entry of others) results.add(entry)
  return { results, length }
}

function readable(line: string, path: string, number: number): Entry {
  const entry = entryOf(line)
  if (entry === undefined) throw unreadable(path, number)
  return entry
}

function unreadable(path: string, number: number): CommandFailed {
  return new CommandFailed(
    `line ${number} of ${path} is not what this program has written there, so nothing was sent; put the file back as it was, for it says which payouts are answered.`,
  )
}

export function now(): string {
  return new Date().toISOString()
}

/** A file that was made is there after a power cut only when its folder is on the disk too. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such thing.
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

async function attempt<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const failed = new CommandFailed(`${path} ${fileProblem(error)}; nothing was sent.`)
    failed.cause = error instanceof Error && 'code' in error ? error.code : undefined
    throw failed
  }
}
