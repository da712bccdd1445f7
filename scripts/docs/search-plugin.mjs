// @ts-check
// A plugin of TypeDoc: the site has a search of its own in the place of TypeDoc's. search.mjs ranks, search-page.mjs
// shows, and this writes what they look through into assets/guides-search.js and assets/search-data.js.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { IndexEvent, JSX, ReflectionKind, RendererEvent } from 'typedoc'
import { sectionsOf, sentencesOf } from './search-text.mjs'

const root = resolve(import.meta.dirname, '../..')
/** @type {Record<string, string>} */
const words = JSON.parse(readFileSync(new URL('search-words.json', import.meta.url), 'utf8'))

/** What tells of the past comes after all that holds. */
const history = /^docs\/(?:decisions\/|moving-)|^CHANGELOG\.md$/

/** @param {import('typedoc').Application} app */
export function load(app) {
  /** @type {import('./search.mjs').Page[]} */
  let pages = []
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    const shown = event.searchResults.filter((one) => !one.isDeclaration() || one.inheritedFrom === undefined)
    pages = shown.map((reflection) =>
      reflection.isDocument()
        ? guideOf(reflection, urlOf(reflection))
        : symbolOf(reflection, urlOf(reflection)),
    )
    // TypeDoc's own index stays empty: every page would load it.
    event.searchResults.length = 0
    const files = new Set(
      app.renderer.router?.getLinkTargets().flatMap((one) => (isDocument(one) ? [fileOf(one)] : [])),
    )
    for (const file of Object.keys(words))
      if (!files.has(file)) app.logger.error(`search-words.json names ${file}, which is no page of the site.`)
  })
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    for (const page of pages.filter(({ kind }) => kind === 'guide' || kind === 'history')) {
      const html = readFileSync(join(outputDirectory, page.url), 'utf8')
      const [, ...anchors] = [...html.matchAll(/<h[1-6] id="([^"]*)"/g)].map(([, anchor]) => anchor)
      if (anchors.length !== page.sections.length - 1)
        app.logger.error(
          `${page.url} has ${anchors.length} headings, and its text ${page.sections.length - 1}`,
        )
      for (const [index, anchor] of anchors.entries())
        Object.assign(page.sections[index + 1] ?? {}, { anchor })
    }
    writeFileSync(
      join(outputDirectory, 'assets/search-data.js'),
      `globalThis.guidesSearchData = ${JSON.stringify(pages)}\n`,
    )
    buildSync({
      entryPoints: [join(import.meta.dirname, 'search-page.mjs')],
      outfile: join(outputDirectory, 'assets/guides-search.js'),
      bundle: true,
      minify: true,
      logLevel: 'error',
    })
  })
  app.renderer.hooks.on('head.end', (context) =>
    JSX.createElement('script', { defer: true, src: context.relativeURL('assets/guides-search.js') }),
  )

  /** @param {import('typedoc').Reflection} reflection */
  const urlOf = (reflection) => app.renderer.router?.getFullUrl(reflection) ?? ''
}

/** @param {object} target @returns {target is import('typedoc').DocumentReflection} */
function isDocument(target) {
  return 'isDocument' in target && typeof target.isDocument === 'function' && target.isDocument()
}

/** @param {import('typedoc').DocumentReflection} document */
function fileOf(document) {
  return relative(root, document.project.files.getReflectionPath(document) ?? '').replaceAll('\\', '/')
}

/** @param {import('typedoc').DocumentReflection} document @param {string} url @returns {import('./search.mjs').Page} */
function guideOf(document, url) {
  const file = fileOf(document)
  return {
    title: document.name,
    url,
    kind: history.test(file) ? 'history' : 'guide',
    words: words[file] ?? '',
    sections: sectionsOf(readFileSync(join(root, file), 'utf8')),
  }
}

/** @param {import('typedoc').Reflection} reflection @param {string} url @returns {import('./search.mjs').Page} */
function symbolOf(reflection, url) {
  const { parent } = reflection
  const isMember = parent !== undefined && !parent.kindOf([ReflectionKind.Module, ReflectionKind.Project])
  return {
    title: isMember ? `${parent.name}.${reflection.name}` : reflection.name,
    url,
    kind: isMember ? 'member' : 'symbol',
    words: '',
    sections: [{ heading: '', sentences: sentencesOf(commentOf(reflection)) }],
  }
}

/** @param {import('typedoc').Reflection} reflection */
function commentOf(reflection) {
  const signatures = reflection.isDeclaration() ? reflection.getAllSignatures() : []
  return [reflection, ...signatures]
    .flatMap(({ comment }) => [
      ...(comment?.summary ?? []),
      ...(comment?.blockTags.flatMap(({ tag, content }) => (tag === '@example' ? [] : content)) ?? []),
    ])
    .map((part) => part.text)
    .join(' ')
}
