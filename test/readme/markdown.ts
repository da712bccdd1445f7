import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.js'

/**
 * A block of code. In front of it comments that the page doesn't show may say `<!-- after NAME -->` where it goes on from
 * a block further up, and `<!-- named NAME -->`. What the reader has by then stands in `docs/setup/PAGE.NAME.before.ts`,
 * what ends the program in `docs/setup/PAGE.NAME.after.ts`.
 */
export interface Block {
  readonly language: string
  readonly code: string
  readonly setup: string
  readonly teardown: string
  readonly name: string | undefined
  readonly after: string | undefined
  /** Where it stands, for the name of its test. */
  readonly line: number
}

export const setupFolder = join(root, 'docs/setup')

const directives = String.raw`((?:<!-- (?:after|named) [\w-]+ -->\n\n)*)`
const fence = String.raw`^${'```'}(\w+)\n([\s\S]*?)\n${'```'}$`

/** The blocks of a page; `page` is the name of its file, where it has named blocks. */
export function blocksOf(markdown: string, page = ''): Block[] {
  const pattern = new RegExp(directives + fence, 'gm')
  return [...markdown.matchAll(pattern)].map((match) => {
    const [, said = '', language = '', code = ''] = match
    const line = markdown.slice(0, match.index).split('\n').length
    const name = word('named', said)
    const beside = (part: 'before' | 'after') =>
      name === undefined ? '' : setupOf(`${page}.${name}.${part}.ts`)
    return {
      language,
      code,
      setup: beside('before'),
      teardown: beside('after'),
      name,
      after: word('after', said),
      line,
    }
  })
}

function setupOf(file: string): string {
  const path = join(setupFolder, file)
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : ''
}

function word(directive: string, text: string): string | undefined {
  return new RegExp(`<!-- ${directive} ([\\w-]+) -->`).exec(text)?.[1]
}

/** The whole program of a block, with what it goes on from. */
export function programOf(block: Block, blocks: readonly Block[]): string {
  const parts = chainOf(block, blocks)
  const ends = parts.map(({ teardown }) => teardown).reverse()
  return [...parts.flatMap(({ setup, code }) => [setup, code]), ...ends].join('\n')
}

function chainOf(block: Block, blocks: readonly Block[]): Block[] {
  if (block.after === undefined) return [block]
  const before = blocks.find(({ name }) => name === block.after)
  if (before === undefined) throw new Error(`line ${block.line}: no block is named ${block.after}`)
  return [...chainOf(before, blocks), block]
}

/** The cells of the first table at or behind a text, without its head. */
export function tableAfter(markdown: string, text: string): [string, string, ...string[]][] {
  const lines = markdown.slice(markdown.indexOf(text)).split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const rows = lines.slice(start + 2)
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((row) => {
      const [first = '', second = '', ...others] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return [first, second, ...others]
    })
}

/** Links to files of the repository. */
export function linksOf(markdown: string): string[] {
  return [...markdown.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, link = '']) => link)
}
