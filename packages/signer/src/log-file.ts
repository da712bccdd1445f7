import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { ConfigurationError } from 'merchant-gateway'
import { Counts, type Entry } from './counts.js'
import { linesOf, openRegularFile } from './regular-file.js'
import { whyOf } from './text.js'
import { isListenedAt, listenAt } from './unix-socket.js'

const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW

/** The log of one signer, in a file that it alone writes to: made with mode 0640, and never through a link. */
export class LogFile {
  /** What its lines add up to. */
  readonly counts = new Counts()
  readonly #path: string
  readonly #file: number
  #lock: Server | undefined
  /** How many bytes its lines have. */
  #size = 0
  /** Why nothing can be written any more. */
  #ended: string | undefined

  private constructor(path: string) {
    this.#path = path
    this.#file = openRegularFile(path, flags, 0o640)
  }

  /**
   * Takes a log for this signer alone, and counts what is in it.
   *
   * @throws where it can't be used ({@link ConfigurationError}).
   */
  static async open(path: string, first: Entry, nowMs: number): Promise<LogFile> {
    let log: LogFile | undefined
    try {
      log = new LogFile(path)
      await log.#begin(first, nowMs)
      return log
    } catch (cause) {
      log?.close()
      const sentence = `the log can't be used: ${whyOf(cause)}; nothing is signed.`
      throw new ConfigurationError(sentence, { option: 'log' }, cause)
    }
  }

  async #begin(first: Entry, nowMs: number): Promise<void> {
    const { dev, ino } = fstatSync(this.#file)
    this.#lock = await lockOf(this.#path, `${dev}-${ino}`)
    for (const { text, end, isWhole } of linesOf(this.#file)) {
      if (!isWhole && this.#size === 0 && !text.startsWith('{"n":1,'))
        throw new Error('it is a file of something else')
      // A crash cut this line short, so nothing was signed for it.
      if (!isWhole) break
      this.counts.add(text)
      this.#size = end
    }
    ftruncateSync(this.#file, this.#size)
    this.add(first, nowMs)
  }

  /**
   * Writes a line and counts it; one that allows a payout is on the disk then. All in one go, so that each decision
   * counts those before it: the next one would wait for the disk anyway.
   *
   * @throws where the line may not outlive a crash; then nothing is signed.
   */
  add(entry: Entry, nowMs: number): void {
    if (this.#ended !== undefined) throw new Error(this.#ended)
    const { size, dev, ino } = fstatSync(this.#file)
    if (size !== this.#size) throw new Error('the log was changed by somebody else')
    const found = statSync(this.#path, { throwIfNoEntry: false })
    if (found?.dev !== dev || found.ino !== ino)
      throw new Error(
        'the log is not in its place, and without it the next start counts from nothing: put it back',
      )
    const line = this.counts.next(entry, nowMs)
    const bytes = Buffer.from(`${line}\n`)
    try {
      // A full disk may take a part before it takes nothing.
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
    } catch (error) {
      // Without the half of a line the log is whole, and goes on when there is room.
      ftruncateSync(this.#file, this.#size)
      throw error
    }
    this.#size += bytes.length
    this.counts.add(line)
    if (entry.until === undefined && entry.did !== 'started') return
    try {
      fdatasyncSync(this.#file)
    } catch (error) {
      this.#ended = 'nobody knows what the disk has of an earlier line: start the signer again'
      throw error
    }
  }

  close(): void {
    if (this.#ended === closed) return
    this.#ended = closed
    this.#lock?.close()
    closeSync(this.#file)
  }
}

const closed = 'the signer was closed'

/** Held by listening at a name, which Linux frees when the process is gone, killed or not. */
async function lockOf(path: string, file: string): Promise<Server> {
  const isLinux = process.platform === 'linux'
  const name = isLinux ? `\0merchant-gateway-signer-${file}` : `${path}.lock`
  const lock = createServer((socket) => void socket.destroy())
  try {
    if (!isLinux && !(await isListenedAt(name))) await rm(name, { force: true })
    await listenAt(lock, name)
  } catch (cause) {
    const why = 'two would count apart: end one of them, or whoever else holds its name (ss -xlp shows it)'
    throw new Error(`another signer writes to ${path}, and ${why}`, { cause })
  }
  return lock.unref()
}
