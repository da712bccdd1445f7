// @ts-check
// The links of a page of the site that are written as paths of the repository.
import { normalizePath } from 'typedoc'

/**
 * Links that TypeDoc has not found: between two pieces of code in one row of a table it takes the text for code.
 *
 * @param {import('typedoc').CommentDisplayPart} part @param {import('typedoc').ProjectReflection} project
 * @param {string} [file] the page that has them
 * @returns {import('typedoc').CommentDisplayPart[]}
 */
export function withLinks(part, { files }, file = '') {
  const isProgram = part.text.startsWith('```')
  if (isProgram || (part.kind !== 'text' && part.kind !== 'code')) return [part]
  const path = normalizePath(file)
  // Every second piece is what stands in the parentheses of a link.
  return part.text.split(/(?<=\]\()((?![a-z]+:|#)[^)\s]+)(?=\))/).map((text, index) => {
    if (index % 2 === 0) return { kind: part.kind, text }
    const { target, anchor } = files.register(path, normalizePath(text)) ?? {}
    return { kind: 'relative-link', text, target, targetAnchor: anchor }
  })
}
