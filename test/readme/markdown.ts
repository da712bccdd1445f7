/**
 * A block of code. In front of it a comment `<!-- setup … -->` may hold what the reader has by then, and
 * behind it `<!-- teardown … -->` what ends the program; neither is shown on the page.
 */
export interface Block {
  readonly language: string
  readonly code: string
  readonly setup: string
  readonly teardown: string
  /** Where it stands, for the name of its test. */
  readonly line: number
}

export function blocksOf(markdown: string): Block[] {
  const pattern =
    /(?:<!-- setup\n([\s\S]*?)\n-->\n\n)?^```(\w+)\n([\s\S]*?)\n```$(?:\n\n<!-- teardown\n([\s\S]*?)\n-->)?/gm
  return [...markdown.matchAll(pattern)].map((match) => {
    const [, setup = '', language = '', code = '', teardown = ''] = match
    return { language, code, setup, teardown, line: markdown.slice(0, match.index).split('\n').length }
  })
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
