import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the corpus is: a bundled program is elsewhere. */
export const corpusFolder = process.env.FUZZ_CORPUS ?? join(import.meta.dirname, 'corpus')

/** The files that a reader begins with, and those that were wrong once. */
export function corpusOf(reader: string): { readonly name: string; readonly bytes: Buffer }[] {
  const folder = join(corpusFolder, reader)
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
}
