import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Block, blocksOf, programOf } from '../readme/markdown.js'
import { root } from '../support/root.js'

/** Whose programs are run by tests of their own, with what these need. */
const ranElsewhere: readonly string[] = [
  'callbacks.md', // test/callbacks/docs.test.ts, test/package/callbacks-page.package.ts
  'command-line.md', // packages/cli/test
  'doctor.md', // packages/cli/test
  'engines.md', // test/engines/recipes.engines.ts, as far as the engines run here
  'express.md', // test/package/callbacks-page.package.ts
  'first-payin.md', // test/docs/first-payin.test.ts
  'first-payout.md', // test/docs/tutorials.test.ts
  'first-rehearsal.md', // test/docs/tutorials.test.ts
  'nestjs.md', // test/package/callbacks-page.package.ts
  'next.md', // test/package/callbacks-page.package.ts
  'sandbox.md', // packages/sandbox/test/docs.test.ts
  'testing-with-jest.md', // packages/sandbox/test/docs.test.ts
  'testing-with-vitest.md', // packages/sandbox/test/docs.test.ts
]

/** One page of `docs`. */
export interface Guide {
  readonly file: string
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
}

/** A block that is a program, as it is run and compiled. */
export interface Program {
  readonly guide: Guide
  readonly block: Block
  readonly name: string
  readonly source: string
  /** What the page shows as its output: a `text` block right behind it, or behind "It prints:". */
  readonly output: string | undefined
}

export const allGuides: readonly Guide[] = readdirSync(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map(guideOf)

export const guides = allGuides.filter(({ file }) => !ranElsewhere.includes(file))

export function guideOf(file: string): Guide {
  const path = join(root, 'docs', file)
  const text = readFileSync(path, 'utf8')
  return { file, path, text, blocks: blocksOf(text, basename(file, '.md')) }
}

export function programsOf(guide: Guide): Program[] {
  return guide.blocks.flatMap((block, index) => {
    if (block.language !== 'js' && block.language !== 'ts') return []
    return {
      guide,
      block,
      name: `${basename(guide.file, '.md')}-line-${block.line}.m${block.language}`,
      source: programOf(block, guide.blocks),
      output: outputBehind(guide, block, guide.blocks[index + 1]),
    }
  })
}

function outputBehind({ text }: Guide, { code }: Block, next: Block | undefined): string | undefined {
  if (next?.language !== 'text') return undefined
  const end = text.indexOf(code) + code.length
  const between = text.slice(end, text.indexOf(`\`\`\`text\n${next.code}`, end))
  const prose = between
    .replace('```', '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim()
  return /^(?:It prints.*:)?$/.test(prose) ? next.code : undefined
}
