// @ts-check
// What the site's search finds. The page and check-search.mjs run this same file.

/**
 * @typedef {import('./search-text.mjs').Section} Section
 * @typedef {object} Page
 * @property {string} title
 * @property {string} url from the root of the site
 * @property {'guide' | 'history' | 'symbol' | 'member'} kind
 * @property {string} words what people type for it, beside what it says (search-words.json)
 * @property {Section[]} sections
 *
 * @typedef {{ page: Page, section: Section, sentence: string, score: number }} Hit
 * @typedef {{ page: Page, fields: Record<keyof typeof weights, Map<string, number>>, phrases: string }} Indexed
 */

/** What a word counts where it stands. */
const weights = { title: 10, words: 8, headings: 4, text: 1 }

/** Guides come before the reference, and both before what was decided and changed. What people type for a page counts in full. */
const kinds = { guide: 1, symbol: 0.3, member: 0.1, history: 0.03 }

const idle = new Set(
  'a an and are be can do does for how i in is it my of on or the to what when with'.split(' '),
)

/**
 * @param {readonly Page[]} pages
 * @returns {(query: string, limit?: number) => Hit[]} what a query finds, best first
 */
export function searchOf(pages) {
  const all = pages.map(indexed)
  /** @type {Map<string, number>} */
  const pagesWith = new Map()
  for (const { fields } of all) {
    const words = new Set(Object.values(fields).flatMap((field) => [...field.keys()]))
    for (const word of words) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1)
  }
  return (query, limit = 10) => {
    const terms = termsOf(query).map((word) => ({
      word,
      rarity: Math.log(1 + all.length / (1 + (pagesWith.get(word) ?? 0))),
    }))
    const phrase = ` ${plain(query).join(' ')} `
    return all
      .map((one) => ({ one, score: scoreOf(one, terms, phrase) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ one: { page }, score }) => ({ page, score, ...placeOf(page, terms) }))
  }
}

/** Words of a page as they are compared; `waitFor` is three. @param {string} text */
export function wordsOf(text) {
  return plain(
    text.replace(
      /\p{L}*\p{Ll}\p{Lu}\p{L}*/gu,
      (word) => `${word} ${word.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')}`,
    ),
  )
}

/** Words in small letters, without the ending of a plural. @param {string} text */
function plain(text) {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word,
  )
}

/** @param {string} query */
export function termsOf(query) {
  const words = [...new Set(plain(query))]
  const busy = words.filter((word) => !idle.has(word))
  return busy.length > 0 ? busy : words
}

/** A part of a word counts less in a title than the whole word in a text. @param {string} word @param {string} term */
export function likeness(word, term) {
  if (word === term) return 1
  if (word.startsWith(term) || (word.length > 3 && term.startsWith(word))) return 1 / 40
  return term.length > 2 && word.includes(term) ? 1 / 400 : 0
}

/** @param {Page} page @returns {Indexed} */
function indexed(page) {
  const headings = page.sections.map(({ heading }) => heading).join(' ')
  const fields = {
    title: counted(page.title),
    words: counted(page.words),
    headings: counted(headings),
    text: counted(page.sections.flatMap(({ sentences }) => sentences).join(' ')),
  }
  return { page, fields, phrases: ` ${wordsOf(`${page.title} ${page.words} ${headings}`).join(' ')} ` }
}

/** @param {string} text */
function counted(text) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** @param {Indexed} one @param {readonly { word: string, rarity: number }[]} terms @param {string} phrase */
function scoreOf({ page, fields, phrases }, terms, phrase) {
  const kind = kinds[page.kind]
  let score = 0
  for (const { word, rarity } of terms) {
    for (const field of /** @type {(keyof typeof weights)[]} */ (Object.keys(weights))) {
      const often = fields[field].get(word)
      const share = often === undefined ? partIn(fields[field], word) : often / (often + 1)
      score += rarity * weights[field] * share * (field === 'words' ? 1 : kind)
    }
  }
  if (terms.length > 1 && phrases.includes(phrase)) score *= 2
  // A class or function that is called what somebody typed.
  if (page.kind === 'symbol' && phrase.replaceAll(' ', '') === page.title.toLowerCase()) score *= 4
  return score
}

/** @param {ReadonlyMap<string, number>} field @param {string} term */
function partIn(field, term) {
  let best = 0
  for (const word of field.keys()) best = Math.max(best, likeness(word, term))
  return best / 2
}

/** The section and the sentence that say most of what was asked for. @param {Page} page @param {readonly { word: string, rarity: number }[]} terms */
function placeOf(page, terms) {
  const first = page.sections.find(({ sentences }) => sentences.length > 0) ?? { heading: '', sentences: [] }
  let best = { section: first, sentence: first.sentences[0] ?? '', score: 0 }
  for (const section of page.sections) {
    const head = said(section.heading, terms)
    if (head > best.score) best = { section, sentence: section.sentences[0] ?? '', score: head }
    for (const sentence of section.sentences) {
      const score = 2 * said(sentence, terms) + head
      if (score > best.score) best = { section, sentence, score }
    }
  }
  return { section: best.section, sentence: best.sentence }
}

/** @param {string} text @param {readonly { word: string, rarity: number }[]} terms */
function said(text, terms) {
  const words = wordsOf(text)
  return terms.reduce(
    (sum, { word, rarity }) => sum + rarity * Math.max(0, ...words.map((one) => likeness(one, word))),
    0,
  )
}
