import { fdatasyncSync, fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { ConfigurationError } from '../index.js'
import { wholeLines } from './lines.js'
import { isListenedAt, listenAt } from './unix-socket.js'

/**
 * Where a signer keeps its log, which is also what it counts by: lines that are only ever added at the end.
 * `fileJournal` has it in a file of one signer; one of yours, over a store that compares and sets, can be shared by several.
 */
export interface SignerJournal {
  /** The lines after the first `known` ones, in their order. */
  read(known: number): AsyncIterable<string>
  /**
   * Adds a line behind the first `known` ones.
   *
   * @param durable whether it has to outlive a crash before this resolves.
   * @returns false where another signer has added one there.
   * @throws where the line was not written; then nothing is signed.
   */
  append(known: number, line: string, durable: boolean): Promise<boolean>
  /** Gives up what it holds. */
  close(): Promise<void>
}

/**
 * The log of one signer, in a file that it alone writes to: made with mode 0640, and never through a link.
 *
 * @param path of the file; its folder has to be there.
 * @example
 * const signer = await createSigner(policy, { key, journal: fileJournal('/var/lib/signer/signer.log') })
 */
export function fileJournal(path: string): SignerJournal {
  return new FileJournal(path)
}

class FileJournal implements SignerJournal {
  readonly #path: string
  #file: FileHandle | undefined
  #lock: Server | undefined
  /** How many bytes the whole lines have; not known before all were read. */
  #size: number | undefined
  #isBroken = false

  constructor(path: string) {
    this.#path = path
  }

  async *read(): AsyncGenerator<string> {
    // Nobody else adds to it.
    if (this.#file !== undefined) return
    const file = await open(this.#path, flags, 0o640)
    this.#file = file
    const stats = await file.stat()
    if (!stats.isFile())
      throw new ConfigurationError('the log must be a file; nothing is signed.', { option: 'log' })
    this.#lock = await lockOf(this.#path, `${stats.dev}-${stats.ino}`)
    let size = 0
    for await (const { text, end } of wholeLines(file)) {
      yield text
      size = end
    }
    // What a crash cut short was not answered: nothing was signed for it.
    await file.truncate(size)
    this.#size = size
  }

  async append(_known: number, line: string, durable: boolean): Promise<boolean> {
    if (this.#file === undefined) throw new Error('the log was not read before')
    if (this.#isBroken) throw new Error('an earlier line was left half written')
    const { fd } = this.#file
    // Without a thread in between: nothing else is to be done meanwhile, and it is half a millisecond.
    const { size, nlink } = fstatSync(fd)
    if (size !== this.#size || nlink === 0) throw new Error('the log was changed by somebody else')
    this.#isBroken = true
    const bytes = Buffer.from(`${line}\n`)
    try {
      // A full disk may take a part before it takes nothing.
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    } catch (error) {
      // Without the half of a line the log is whole, and goes on when there is room.
      ftruncateSync(fd, size)
      this.#isBroken = false
      throw error
    }
    // Where this fails nobody knows what the disk has: only a new start reads it.
    if (durable) fdatasyncSync(fd)
    this.#isBroken = false
    this.#size = size + bytes.length
    return true
  }

  async close(): Promise<void> {
    this.#lock?.close()
    await this.#file?.close()
    this.#file = undefined
  }
}

const flags =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Held by listening at a name, which Linux frees when the process is gone, killed or not. */
async function lockOf(path: string, file: string): Promise<Server> {
  const isLinux = process.platform === 'linux'
  const name = isLinux ? `\0merchant-gateway-signer-${file}` : `${path}.lock`
  const lock = createServer((socket) => void socket.destroy())
  try {
    if (!isLinux && !(await isListenedAt(name))) await rm(name, { force: true })
    await listenAt(lock, { path: name })
  } catch (cause) {
    const sentence = `another signer writes to ${path}, and two would count apart: end one of them, or whoever else holds its name (ss -xlp shows it); nothing is signed.`
    throw new ConfigurationError(sentence, { option: 'log' }, cause)
  }
  lock.unref()
  return lock
}
