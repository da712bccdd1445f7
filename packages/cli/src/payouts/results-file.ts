import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { openRegularFile } from '../../../../src/client/input/regular-file.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { fileProblem } from '../files.js'
import { jsonLine } from '../text.js'
import { type Entry, entryOf, isOfOtherVersion, Results, type Run } from './results.js'

// A link that somebody has put there would be written through.
const toAppend = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/**
 * The results of a file of payouts: whole lines of JSON, appended one after the other. It is also what keeps a
 * second run away: each begins with a line of its own, and the earliest that is alive goes on.
 */
export class ResultsFile {
  readonly results: Results
  readonly #path: string
  readonly #file: FileHandle
  readonly #run: Run
  #writing: Promise<void> = Promise.resolve()
  #hasLeft = false

  private constructor(path: string, file: FileHandle, run: Run, results: Results) {
    this.#path = path
    this.#file = file
    this.#run = run
    this.results = results
  }

  /**
   * Opens the file, or makes it, for the only run that writes into it.
   *
   * @param alone whether no other run is under way, whatever the file says.
   * @throws {CommandFailed} when another run is under way, it can't be read, or a line makes no sense.
   */
  static async open(path: string, alone = false): Promise<ResultsFile> {
    const earlier = await readResults(path)
    const file = await attempt(path, () => open(path, toAppend, 0o600))
    try {
      await attempt(path, () => file.chmod(0o600))
      const run: Run = { run: randomUUID(), pid: process.pid, host: hostname(), at: now() }
      const salt = randomBytes(16).toString('hex')
      const begun: Entry = { event: 'begun', version: 2, salt, at: run.at }
      const head: Entry[] = [...(earlier === undefined ? [begun] : []), { event: 'run', ...run }]
      await attempt(path, async () => {
        const isTorn = (await tornBytes(file)) > 0
        await file.appendFile((isTorn ? '\n' : '') + head.map(lineOf).join(''))
        await file.sync()
      })
      await syncFolder(path)
      const found = await readResults(path)
      if (found === undefined) throw unreadable(path, 1)
      const made = new ResultsFile(path, file, run, found)
      const other = alone ? undefined : found.runs.find((one) => one.run === run.run || mayBeAlive(one))
      if (other !== undefined && other.run !== run.run) {
        made.leave()
        throw isHeld(path, other)
      }
      return made
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Adds an entry. That a payout is about to be sent is on the disk itself when the promise resolves; of an answer
   * that a power cut loses, the gateway is asked again.
   *
   * @throws {CommandFailed} when the disk does not take it, and then for every later entry.
   */
  append(entry: Entry): Promise<void> {
    this.results.add(entry)
    this.#writing = this.#writing.then(() => this.#write(entry))
    return this.#writing
  }

  async #write(entry: Entry): Promise<void> {
    try {
      await this.#file.appendFile(lineOf(entry))
      if (entry.event !== 'outcome') await this.#file.datasync()
    } catch (error) {
      await this.#takeTornAway().catch(() => {})
      throw new CommandFailed(
        `${this.#path} ${fileProblem(error)}, so no further payout was sent; correct that and run this again, which asks for the rest under the same ids.`,
        exitCodes.refused,
      )
    }
  }

  /** A full disk has taken a part of the line: what comes behind it, when there is room again, is a line of its own. */
  async #takeTornAway(): Promise<void> {
    const torn = await tornBytes(this.#file)
    const { size } = await this.#file.stat()
    if (torn > 0) await this.#file.truncate(size - torn)
  }

  /** Lets the next run begin. Synchronous, for a process that ends. */
  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    try {
      appendFileSync(this.#file.fd, lineOf({ event: 'left', run: this.#run.run }))
    } catch {
      // The next run sees that this process is gone.
    }
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    this.leave()
    await this.#file.close()
  }
}

/** What a results file says; undefined where there is none, or nothing in it yet. */
export async function readResults(path: string): Promise<Results | undefined> {
  let text = ''
  try {
    const file = await openRegularFile(path)
    text = await file.readFile('utf8').finally(() => file.close())
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new CommandFailed(`${path} ${fileProblem(error)}; nothing was sent.`)
  }
  let results: Results | undefined
  let torn: number | undefined
  const lines = text.split('\n')
  // What stands after the last line break was being written when its process was killed.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    if (line === '') continue
    const entry = entryOf(line)
    if (entry === undefined && isOfOtherVersion(line)) throw ofOtherVersion(path)
    if (torn !== undefined && entry?.event !== 'run' && entry?.event !== 'begun') throw unreadable(path, torn)
    torn = entry === undefined ? index + 1 : undefined
    if (entry?.event === 'begun') results ??= new Results(entry.salt)
    else if (entry !== undefined) {
      if (results === undefined) throw unreadable(path, index + 1)
      results.add(entry)
    }
  }
  if (torn !== undefined) throw unreadable(path, torn)
  return results
}

/** No line of results is longer, in bytes. */
const longestLine = 65_536

/** How much of a line stands at the end that was not written to its own. */
async function tornBytes(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const start = Math.max(0, size - longestLine)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLine), 0, longestLine, start)
  return bytesRead - 1 - buffer.subarray(0, bytesRead).lastIndexOf('\n')
}

function lineOf(entry: Entry): string {
  return `${jsonLine(entry)}\n`
}

function unreadable(path: string, number: number): CommandFailed {
  return new CommandFailed(
    `line ${number} of ${path} is not what this program has written there, so nothing was sent; put the file back as it was, for it says which payouts are answered.`,
  )
}

function ofOtherVersion(path: string): CommandFailed {
  return new CommandFailed(
    `${path} was written by another version of this program, so nothing was sent; finish this file of payouts with the version that began it, for only the results say which payouts were sent.`,
  )
}

/** Of another machine nothing can be known. */
function mayBeAlive({ pid, host }: Run): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isHeld(path: string, { pid, host }: Run): CommandFailed {
  return new CommandFailed(
    `process ${pid} on ${host} is sending this file (${path}), so this one has sent nothing; if that process is gone, give --alone.`,
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
    throw new CommandFailed(`${path} ${fileProblem(error)}; nothing was sent.`)
  }
}
