// @ts-check
// Cuts a page into what the site's search looks through: its sections, each with its sentences.

/** Where a sentence ends and the next begins, which may be with code. */
const end = /(?<=[.?!:]['")*]*)\s+(?=['"(*[]*[`\p{Lu}])/u

/** @typedef {{ heading: string, anchor?: string, sentences: string[] }} Section */

/**
 * The sections of a page, the first being what stands under its title.
 *
 * @param {string} markdown @returns {Section[]}
 */
export function sectionsOf(markdown) {
  /** @type {Section[]} */
  const sections = [{ heading: '', sentences: [] }]
  /** Lines of programs, which are shown only where no sentence has the words. @type {string[]} */
  let code = []
  const close = () => {
    sections.at(-1)?.sentences.push(...code)
    code = []
  }
  for (const block of blocksOf(markdown)) {
    const [, depth = '', heading = ''] = /^(#+) (.*)/.exec(block) ?? []
    if (depth.length > 1) {
      close()
      sections.push({ heading: shown(heading), sentences: [] })
    } else if (block.startsWith('```')) code.push(...linesOfCode(block))
    else if (depth === '') sections.at(-1)?.sentences.push(...sentencesOf(block))
  }
  close()
  return sections
}

/**
 * Its sentences; those of a row of a table are one.
 *
 * @param {string} paragraph
 */
export function sentencesOf(paragraph) {
  return paragraph
    .split(/\n(?=\s*(?:[-*|]|\d+\.) ?)/)
    .filter((line) => !/^\|[\s|:-]+\|?$/.test(line))
    .flatMap((line) =>
      line.startsWith('|')
        ? [row(line)]
        : line
            .replace(/^\s*(?:[-*]|\d+\.|>) /, '')
            .split(end)
            .map(shown),
    )
    .filter((sentence) => sentence !== '')
}

/** Paragraphs, headings and blocks of code, without what a page doesn't show. @param {string} markdown */
function blocksOf(markdown) {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/^(```[\s\S]*?^```)$|^(#+ .*)$|\n{2,}/m)
    .filter((block) => block !== undefined && block.trim() !== '')
    .map((block) => block.trim())
}

/** @param {string} block */
function linesOfCode(block) {
  if (block.startsWith('```mermaid')) return []
  return block
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line))
}

/** @param {string} line */
function row(line) {
  return line
    .split('|')
    .map(shown)
    .filter((cell) => cell !== '')
    .join(' · ')
}

/** The text of Markdown. @param {string} markdown */
function shown(markdown) {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\{@link(?:code|plain)? (?:[^|}]*\|)?([^}]*)\}/g, '$1')
    .replace(/<\/?[a-z][^>]*>/g, ' ')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
