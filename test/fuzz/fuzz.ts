import { Random } from '../simulation/world/random.js'
import { check } from './check.js'
import { corpusOf } from './corpus.js'
import { minimise, mutate } from './mutate.js'
import { type Reader, readers } from './readers.js'

/** What was found, in the fewest bytes that show it. */
export interface Finding {
  readonly reader: string
  readonly says: string
  readonly bytes: Buffer
}

export interface Watch {
  /** These bytes are read now. */
  begins(reader: string, bytes: Buffer): void
  found(finding: Finding): void
}

/** Reads changed files of the corpus, one reader after another, until the time is over. */
export async function fuzz(untilMs: number, seed: number, watch: Watch): Promise<Record<string, number>> {
  const random = new Random(`fuzz ${seed}`)
  const corpora = new Map(readers.map((reader) => [reader, corpusOf(reader.name).map(({ bytes }) => bytes)]))
  const all = [...corpora.values()].flat()
  const counts: Record<string, number> = {}
  const known = new Set<string>()
  while (performance.now() < untilMs) {
    for (const [reader, corpus] of corpora) {
      const began = corpus[random.whole(0, corpus.length - 1)] ?? Buffer.alloc(0)
      const bytes = mutate(random, began, random.chance(0.8) ? corpus : all)
      watch.begins(reader.name, bytes)
      counts[reader.name] = (counts[reader.name] ?? 0) + 1
      const says = await check(reader, bytes)
      // Once each: the same mistake has many inputs.
      if (says === undefined || known.has(`${reader.name} ${says}`)) continue
      known.add(`${reader.name} ${says}`)
      watch.found({ reader: reader.name, says, bytes: await minimised(reader, bytes, says) })
    }
  }
  return counts
}

function minimised(reader: Reader, bytes: Buffer, says: string): Promise<Buffer> {
  return minimise(bytes, async (shorter) => (await check(reader, shorter)) === says)
}
