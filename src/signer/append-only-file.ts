import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { wholeLines } from './lines.js'

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A file that another user only ever adds lines to. */
export class AppendOnlyFile {
  readonly #path: string
  readonly #owner: number | undefined
  #position = 0
  #seen: Stats | undefined

  /** @param owner the number of the user whose it must be; anybody's where it is not given. */
  constructor(path: string, owner?: number) {
    this.#path = path
    this.#owner = owner
  }

  /**
   * The lines that were added since the last time.
   *
   * @throws {Error} saying why the file can't be believed: it is a link, another file, shorter, or writable by others.
   */
  async newLines(): Promise<readonly string[]> {
    // Opened by its name each time, so that a replaced one is seen.
    const file = await open(this.#path, flags)
    try {
      const stats = await file.stat()
      const why = this.#whyNot(stats)
      if (why !== undefined) throw new Error(`${this.#path} ${why}`)
      this.#seen = stats
      const lines: string[] = []
      let position = this.#position
      for await (const { text, end } of wholeLines(file, position)) {
        lines.push(text)
        position = end
      }
      this.#position = position
      return lines
    } finally {
      await file.close()
    }
  }

  #whyNot(stats: Stats): string | undefined {
    if (!stats.isFile()) return 'is no file'
    if ((stats.mode & 0o022) !== 0) return 'may be written by others than its owner'
    if (this.#owner !== undefined && stats.uid !== this.#owner)
      return `belongs to user ${stats.uid}, and the policy names user ${this.#owner}`
    const { dev, ino } = this.#seen ?? stats
    if (stats.dev !== dev || stats.ino !== ino) return 'was replaced: it is only ever added to'
    if (stats.size < this.#position) return 'was cut short: it is only ever added to'
    return undefined
  }
}
