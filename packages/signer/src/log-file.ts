import { fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs'
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { ConfigurationError } from '../../../src/index.js'
import { Counts, type Entry } from './counts.js'
import { linesOf } from './lines.js'
import { whyOf } from './refusal.js'
import { isListenedAt, listenAt } from './unix-socket.js'

const flags =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The log of one signer, in a file that it alone writes to: made with mode 0640, and never through a link. */
export class LogFile {
  /** What its lines add up to. */
  readonly counts: Counts
  readonly #path: string
  readonly #file: FileHandle
  readonly #lock: Server
  /** How many bytes its lines have. */
  #size: number
  #isBroken = false
  #underWay: Promise<void> | undefined

  private constructor(path: string, file: FileHandle, lock: Server, counts: Counts, size: number) {
    this.counts = counts
    this.#path = path
    this.#file = file
    this.#lock = lock
    this.#size = size
  }

  /**
   * Takes a log for this signer alone, and counts what is in it.
   *
   * @throws {ConfigurationError} where it can't be used.
   */
  static async open(path: string, first: Entry, nowMs: number): Promise<LogFile> {
    let file: FileHandle | undefined
    let lock: Server | undefined
    try {
      file = await open(path, flags, 0o640)
      const stats = await file.stat()
      if (!stats.isFile()) throw new Error('it is no file')
      lock = await lockOf(path, `${stats.dev}-${stats.ino}`)
      const counts = new Counts()
      let size = 0
      for (const { text, end, isWhole } of linesOf(file.fd)) {
        if (!isWhole && size === 0 && !mayBeginLog(text)) throw new Error('it is a file of something else')
        // What a crash cut short was not answered: nothing was signed for it.
        if (!isWhole) break
        counts.add(text)
        size = end
      }
      await file.truncate(size)
      const log = new LogFile(path, file, lock, counts, size)
      await log.add(first, nowMs)
      return log
    } catch (cause) {
      lock?.close()
      await file?.close()
      const sentence = `the log can't be used: ${whyOf(cause)}; nothing is signed.`
      throw new ConfigurationError(sentence, { option: 'log' }, cause)
    }
  }

  /**
   * Writes a line and counts it, at once: the next decision counts it, too.
   *
   * @returns when the line will outlive a crash, where it has to.
   * @throws where the line was not written; then nothing is signed.
   */
  add(entry: Entry, nowMs: number): Promise<void> {
    if (this.#isBroken)
      throw new Error('nobody knows what the disk has of an earlier line: start the signer again')
    const { fd } = this.#file
    const { size, dev, ino } = fstatSync(fd)
    if (size !== this.#size) throw new Error('the log was changed by somebody else')
    const there = statSync(this.#path, { throwIfNoEntry: false })
    if (there?.dev !== dev || there.ino !== ino)
      throw new Error(
        'the log is not in its place, and without it the next start counts from nothing: put it back',
      )
    const line = this.counts.next(entry, nowMs)
    const bytes = Buffer.from(`${line}\n`)
    this.#isBroken = true
    try {
      // A full disk may take a part before it takes nothing.
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    } catch (error) {
      // Without the half of a line the log is whole, and goes on when there is room.
      ftruncateSync(fd, size)
      this.#isBroken = false
      throw error
    }
    this.#size = size + bytes.length
    // Counted as it will be read.
    this.counts.add(line)
    this.#isBroken = false
    const canMoveMoney = entry.until !== undefined
    return canMoveMoney || entry.did === 'started' ? this.#bringToDisk() : Promise.resolve()
  }

  /**
   * One line after another: the system tells of a failure once, and whoever asks beside or after hears that all is well.
   * Begins at once where none is under way, so that the key signs meanwhile.
   */
  #bringToDisk(): Promise<void> {
    const bring = () => this.#file.datasync()
    const onDisk = this.#underWay === undefined ? bring() : this.#underWay.then(bring)
    this.#underWay = onDisk
    const isOver = () => {
      if (this.#underWay === onDisk) this.#underWay = undefined
    }
    onDisk.then(isOver, () => {
      // Only a new start knows what the disk has.
      this.#isBroken = true
    })
    return onDisk
  }

  async close(): Promise<void> {
    this.#lock.close()
    await this.#underWay?.catch(() => undefined)
    await this.#file.close()
  }
}

/** Whether a crash can have left it of a first line: all else is taken for a file that was named by mistake, and kept. */
function mayBeginLog(piece: string): boolean {
  const begin = '{"n":1,'
  return begin.startsWith(piece.slice(0, begin.length)) || /^\0*$/.test(piece)
}

/** Held by listening at a name, which Linux frees when the process is gone, killed or not. */
async function lockOf(path: string, file: string): Promise<Server> {
  const isLinux = process.platform === 'linux'
  const name = isLinux ? `\0merchant-gateway-signer-${file}` : `${path}.lock`
  const lock = createServer((socket) => void socket.destroy())
  try {
    if (!isLinux && !(await isListenedAt(name))) await rm(name, { force: true })
    await listenAt(lock, { path: name })
  } catch (cause) {
    const why = `another signer writes to ${path}, and two would count apart: end one of them, or whoever else holds its name (ss -xlp shows it)`
    throw new Error(why, { cause })
  }
  return lock.unref()
}
