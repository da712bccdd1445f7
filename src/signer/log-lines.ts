import type { FileHandle } from 'node:fs/promises'

/** Nobody's line is longer, in bytes. */
const longestLine = 65_536
const newLine = 10

/**
 * The whole lines of a log, from its first byte on, and at the end how many bytes they have.
 *
 * @returns what is behind the last line: a crash may have cut one short.
 */
export async function* logLines(file: FileHandle): AsyncGenerator<string, { whole: number; rest: number }> {
  const chunk = Buffer.alloc(longestLine)
  let whole = 0
  let rest = Buffer.alloc(0)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, whole + rest.length)
    if (bytesRead === 0) return { whole, rest: rest.length }
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    let begin = 0
    for (let end = rest.indexOf(newLine); end !== -1; end = rest.indexOf(newLine, begin)) {
      yield rest.toString('utf8', begin, end)
      begin = end + 1
    }
    whole += begin
    rest = rest.subarray(begin)
    if (rest.length > longestLine) throw new Error('a line of it is too long for a log')
  }
}
