// @ts-check
// A plugin of TypeDoc: the site's search puts pages before symbols, and knows headings and the words that people look
// for (search-words.json).
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { IndexEvent } from 'typedoc'

const root = resolve(import.meta.dirname, '../..')
/** @type {Record<string, string>} */
const words = JSON.parse(readFileSync(new URL('search-words.json', import.meta.url), 'utf8'))

/** A symbol that is called what somebody typed still comes first: TypeDoc multiplies its score. */
const pageBoost = 30

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    Object.assign(event.searchFieldWeights, { headings: 10, words: 100 })
    const known = new Set(Object.keys(words))
    for (const [index, reflection] of event.searchResults.entries()) {
      event.searchFields[index] = { comment: plain(commentOf(reflection)) }
      if (!reflection.isDocument()) continue
      const path = reflection.project.files.getReflectionPath(reflection) ?? ''
      const file = relative(root, path).replaceAll('\\', '/')
      const text = reflection.content.map((part) => part.text).join('')
      const headings = text.replace(/^```[\s\S]*?^```$/gm, '').match(/^##+ .*$/gm) ?? []
      event.searchFields[index] = {
        document: plain(text),
        headings: plain(headings.join(' ')),
        words: words[file] ?? '',
      }
      reflection.relevanceBoost =
        file.startsWith('docs/decisions/') || file === 'CHANGELOG.md' ? 1 : pageBoost
      known.delete(file)
    }
    for (const file of known)
      app.logger.error(`search-words.json names ${file}, which is no page of the site.`)
  })
}

/**
 * Words alone: lunr takes what stands between spaces for one term, and a search for a part of some of these, such as
 * "timeout" in `AbortSignal.timeout(60_000)`, ends with an error.
 *
 * @param {string} text
 */
function plain(text) {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ')
}

/** @param {import('typedoc').Reflection} reflection */
function commentOf(reflection) {
  const signatures = reflection.isDeclaration() ? reflection.getAllSignatures() : []
  return [reflection, ...signatures]
    .flatMap(({ comment }) => [
      ...(comment?.summary ?? []),
      ...(comment?.blockTags.flatMap(({ content }) => content) ?? []),
    ])
    .map((part) => part.text)
    .join(' ')
}
