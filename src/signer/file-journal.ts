import { fdatasyncSync, fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { ConfigurationError } from '../index.js'
import type { SignerJournal } from './journal.js'
import { isListenedAt, listenAt } from './listen-alone.js'
import { logLines } from './log-lines.js'

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

interface Opened {
  readonly file: FileHandle
  readonly lock: Server
}

class FileJournal implements SignerJournal {
  readonly #path: string
  #opened: Promise<Opened> | undefined
  /** How many bytes the whole lines have that were read or written. */
  #size = 0
  #isRead = false
  #isBroken = false

  constructor(path: string) {
    this.#path = path
  }

  async *read(): AsyncGenerator<string> {
    const { file } = await this.#open()
    // Nobody else adds to it.
    if (this.#isRead) return
    const { whole, rest } = yield* logLines(file)
    this.#size = whole
    // What a crash cut short was not answered: nothing was signed for it.
    if (rest > 0) await file.truncate(whole)
    this.#isRead = true
  }

  async append(_known: number, line: string, durable: boolean): Promise<boolean> {
    const { file } = await this.#open()
    if (this.#isBroken) throw new Error('an earlier line was left half written')
    // Without a thread in between: nothing else is to be done meanwhile, and it is half a millisecond.
    const { size, nlink } = fstatSync(file.fd)
    if (size !== this.#size || nlink === 0) throw new Error('the log was changed by somebody else')
    const bytes = Buffer.from(`${line}\n`)
    this.#isBroken = true
    try {
      writeWhole(file.fd, bytes)
    } catch (error) {
      // A full disk takes half a line; without it the log is whole, and goes on when there is room.
      ftruncateSync(file.fd, this.#size)
      this.#isBroken = false
      throw error
    }
    // Where this fails nobody knows what the disk has: only a new start reads it.
    if (durable) fdatasyncSync(file.fd)
    this.#isBroken = false
    this.#size += bytes.length
    return true
  }

  async close(): Promise<void> {
    const { file, lock } = (await this.#opened?.catch(() => undefined)) ?? {}
    this.#opened = undefined
    lock?.close()
    await file?.close()
  }

  #open(): Promise<Opened> {
    this.#opened ??= openAlone(this.#path)
    return this.#opened
  }
}

const flags =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A full disk may take a part before it takes nothing. */
function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
}

async function openAlone(path: string): Promise<Opened> {
  const file = await open(path, flags, 0o640)
  try {
    const stats = await file.stat()
    if (!stats.isFile())
      throw new ConfigurationError('the log must be a file; nothing is signed.', { option: 'log' })
    return { file, lock: await lockOf(path, `${stats.dev}-${stats.ino}`) }
  } catch (error) {
    await file.close()
    throw error
  }
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
    const sentence = `another signer writes to ${path}, and two would count apart: end one of them, or whoever else holds its name (ss -xlp shows it); nothing is signed.`
    throw new ConfigurationError(sentence, { option: 'log' }, cause)
  }
  lock.unref()
  return lock
}
