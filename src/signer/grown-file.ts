import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Reads on in a file that somebody else adds lines to. */
export class GrownFile {
  readonly #path: string
  readonly #whyNot: (stats: Stats) => string | undefined
  #read = 0
  #file: { readonly dev: number; readonly ino: number } | undefined

  /** @param whyNot what is wrong with whose it is, and who may write to it. */
  constructor(path: string, whyNot: (stats: Stats) => string | undefined) {
    this.#path = path
    this.#whyNot = whyNot
  }

  /**
   * The whole lines that came since the last time.
   *
   * @throws {Error} saying why the file can't be believed: it is a link, another file, shorter, or writable by others.
   */
  async lines(): Promise<readonly string[]> {
    // Opened anew each time: by its name a replaced one is seen.
    const file = await open(this.#path, flags)
    try {
      const stats = await file.stat()
      const why = this.#whyOther(stats) ?? this.#whyNot(stats)
      if (why !== undefined) throw new Error(`${this.#path} ${why}`)
      this.#file = stats
      return await this.#rest(file, stats.size)
    } finally {
      await file.close()
    }
  }

  #whyOther(stats: Stats): string | undefined {
    if (!stats.isFile()) return 'is no file'
    if ((stats.mode & 0o022) !== 0) return 'may be written by others than its owner'
    if (this.#file === undefined) return undefined
    const isSame = this.#file.dev === stats.dev && this.#file.ino === stats.ino
    if (!isSame) return 'was replaced: it is only ever added to'
    return stats.size < this.#read ? 'was cut short: it is only ever added to' : undefined
  }

  async #rest(file: FileHandle, size: number): Promise<readonly string[]> {
    const bytes = Buffer.alloc(size - this.#read)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#read)
    const end = bytes.subarray(0, bytesRead).lastIndexOf(newLine) + 1
    this.#read += end
    return end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n')
  }
}

const newLine = 10
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
