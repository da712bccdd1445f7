// @ts-check
// A plugin of TypeDoc: the guides stand beside the reference under the names of their files and by their own titles,
// in the groups of docs/README.md.
import { readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { Application, Converter, KindRouter, ReflectionKind } from 'typedoc'
import { homeOf } from './home.mjs'
import { withLinks } from './links.mjs'
import { sequenceSvg } from './sequence-svg.mjs'

const root = resolve(import.meta.dirname, '../..')

/** @param {import('typedoc').Application} app */
export function load(app) {
  const groups = groupsOf(readFileSync(resolve(root, 'docs/README.md'), 'utf8'))
  const order = [...groups.keys()]
  app.renderer.defineRouter('guides', GuidesRouter)
  app.converter.on(
    Converter.EVENT_CREATE_DOCUMENT,
    (_context, document) => {
      const file = fileOf(document)
      document.name = titleOf(document)
      document.content = document.content.flatMap((part) =>
        withLinks(drawn(part), document.project, document.project.files.getReflectionPath(document)),
      )
      document.frontmatter.group = file.startsWith('docs/decisions/')
        ? 'Decisions'
        : (groups.get(file) ?? 'To begin with')
    },
    // Before TypeDoc reads the front matter.
    1000,
  )
  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    ({ project }) => {
      // The side bar has the order of the index; what the index doesn't name stays where it is.
      for (const list of [project.documents, project.childrenIncludingDocuments])
        list?.sort((a, b) => placeIn(order, a) - placeIn(order, b))
      if (project.readme !== undefined) project.readme = homeOf(project, project.readme)
    },
    // After TypeDoc has read README.md.
    -1000,
  )
  app.converter.addUnknownSymbolResolver(({ symbolReference }, { project }) => {
    const target = ofMainEntry(project, symbolReference?.path?.at(-1)?.path)
    return target && { target }
  })
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const one of throwsWithoutClass(project)) {
      app.logger.warn(`${one.getFriendlyFullName()} says when it throws, and links no class of errors`)
    }
  })
}

/**
 * What a comment names and its file does not import, such as the class of an error, is one of the main entry.
 * @param {import('typedoc').ProjectReflection} project @param {string | undefined} name
 */
function ofMainEntry(project, name) {
  const main = project.children?.find((entry) => entry.name === 'merchant-gateway')
  return main?.children?.find((child) => child.name === name)
}

/** A comment of the reference that says when it throws, and not which class. @param {import('typedoc').ProjectReflection} project */
function throwsWithoutClass(project) {
  return project
    .getReflectionsByKind(ReflectionKind.All)
    .filter(({ comment }) =>
      comment?.blockTags.some(
        ({ tag, content }) =>
          tag === '@throws' &&
          !content.some(
            ({ kind, text }) => kind === 'inline-tag' || (kind === 'code' && /Error`$/.test(text)),
          ),
      ),
    )
}

/** @param {readonly string[]} order @param {import('typedoc').Reflection} reflection */
function placeIn(order, reflection) {
  const place = reflection.isDocument() ? order.indexOf(fileOf(reflection)) : -1
  return place < 0 ? order.length : place
}

class GuidesRouter extends KindRouter {
  /** @param {import('typedoc').Reflection} reflection @override */
  getIdealBaseName(reflection) {
    if (!reflection.kindOf(ReflectionKind.Document)) return super.getIdealBaseName(reflection)
    const file = fileOf(reflection)
    return `guides/${nameOf(file)}`
  }
}

/** Names that no two files share: beside docs/security.md there is SECURITY.md. @param {string} file */
function nameOf(file) {
  if (file === 'examples/README.md') return 'examples'
  if (file === 'docs/README.md') return 'index'
  if (file.startsWith('docs/')) return file.slice('docs/'.length, -'.md'.length).toLowerCase()
  return `about-${basename(file, '.md').toLowerCase()}`
}

/** @param {import('typedoc').Reflection} document */
function fileOf(document) {
  const path = document.project.files.getReflectionPath(document)
  return relative(root, path ?? '').replaceAll('\\', '/')
}

/** Its first heading. @param {import('typedoc').DocumentReflection} document */
function titleOf(document) {
  const text = document.content.map((part) => part.text).join('')
  const [, title = document.name] = /^\s*# (.*)/.exec(text) ?? []
  return title.replaceAll('`', '')
}

/** A diagram in the place of its source. @param {import('typedoc').CommentDisplayPart} part @returns {import('typedoc').CommentDisplayPart} */
function drawn(part) {
  const [, source] = /^```mermaid\n([\s\S]*?)```\s*$/.exec(part.text) ?? []
  // Lines of their own, so that Markdown takes it for HTML as a whole.
  return source === undefined ? part : { kind: 'text', text: `\n\n${sequenceSvg(source)}\n\n` }
}

/**
 * The lists of the index, each under a heading.
 *
 * @param {string} index
 */
function groupsOf(index) {
  /** @type {Map<string, string>} */
  const groups = new Map()
  let group = ''
  for (const line of index.split('\n')) {
    const head = /^## (.*)$/.exec(line)?.[1]
    if (head !== undefined) group = head
    const file = /^- \[[^\]]*\]\(([\w./-]+\.md)\)/.exec(line)?.[1]
    if (file !== undefined)
      groups.set(relative(root, resolve(root, 'docs', file)).replaceAll('\\', '/'), group)
  }
  return groups
}
