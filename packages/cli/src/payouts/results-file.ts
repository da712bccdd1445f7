import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { hostname } from 'node:os'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { fileProblem, syncFolder, toAppend } from '../files.js'
import { jsonLine } from '../text.js'
import { begun, type Entry, notSent, type Results, type Run, readResults } from './results.js'

/**
 * The results of a file of payouts: lines of JSON, appended one after the other. It also keeps a second run away: each
 * run begins with a line of its own, and the earliest that is alive goes on.
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
   * @param forceUnlock whether no other run is under way, whatever the file says.
   * @throws when another run is under way, or the file can't be read or written ({@link CommandFailed}).
   */
  static async open(path: string, forceUnlock = false): Promise<ResultsFile> {
    const isNew = readResults(path) === undefined
    const run: Run = { event: 'run', run: randomUUID(), pid: process.pid, host: hostname(), at: now() }
    const head = isNew ? [begun(randomBytes(16).toString('hex'), run.at)] : []
    const file = await begin(path, [...head, run])
    try {
      // Read again: another run may have begun meanwhile.
      const results = readResults(path)
      if (results === undefined) throw new CommandFailed(`${path} cannot be used${notSent}.`)
      const made = new ResultsFile(path, file, run, results)
      const first = [...results.runs.values()].find((one) => one.run === run.run || mayBeAlive(one))
      if (!forceUnlock && first !== undefined && first.run !== run.run) {
        made.leave()
        throw isHeld(path, first)
      }
      return made
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Adds an entry. That a payout is about to be sent is on the disk when the promise resolves; for an outcome that a
   * power cut loses, the gateway is asked again.
   *
   * @throws when the disk does not take it, and then for every later entry ({@link CommandFailed}).
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
      throw new CommandFailed(
        `${this.#path} ${fileProblem(error)}, so no further payout was sent; correct that and run this again, which asks for the rest under the same ids.`,
        exitCodes.refused,
      )
    }
  }

  /** Lets the next run begin. Synchronous, for a process that ends. */
  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    try {
      appendFileSync(this.#file.fd, `\n${lineOf({ event: 'left', run: this.#run.run })}`)
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

/** Opens the file, and puts these lines at its end. */
async function begin(path: string, entries: readonly Entry[]): Promise<FileHandle> {
  let file: FileHandle | undefined
  try {
    file = await open(path, toAppend, 0o600)
    await file.chmod(0o600)
    // A line that the disk took a part of may stand before them.
    await file.appendFile(`\n${entries.map(lineOf).join('')}`)
    await file.sync()
    syncFolder(path)
    return file
  } catch (error) {
    await file?.close()
    throw new CommandFailed(`${path} ${fileProblem(error)}${notSent}.`)
  }
}

function lineOf(entry: Entry): string {
  return `${jsonLine(entry)}\n`
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
    `process ${pid} on ${host} is sending this file (${path}), so this one has sent nothing; if that process is gone, give --force-unlock.`,
  )
}

export function now(): string {
  return new Date().toISOString()
}
