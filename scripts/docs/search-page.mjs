// @ts-check
// Runs in the pages of the site: shows what search.mjs finds in the dialog that TypeDoc's script opens and closes, whose
// own search hears nothing of what is typed. Its keys (arrows, Enter) work on what stands in the list.
import { likeness, searchOf, termsOf, wordsOf } from './search.mjs'

/** @typedef {import('./search.mjs').Hit} Hit */

const field = document.querySelector('#tsd-search-input')
const list = document.querySelector('#tsd-search-results')
const status = document.querySelector('#tsd-search-status')
const base = document.documentElement.dataset.base ?? './'

/** @type {Promise<ReturnType<typeof searchOf>> | undefined} */
let search
/** Loads what is looked through, when somebody looks for the first time. */
function loaded() {
  search ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = new URL(
      'assets/search-data.js',
      new URL(base.endsWith('/') ? base : `${base}/`, location.href),
    ).href
    script.addEventListener('load', () => resolve(searchOf(Reflect.get(globalThis, 'guidesSearchData'))))
    script.addEventListener('error', () => reject(new Error('The index of the search is not there.')))
    document.head.append(script)
  })
  return search
}

async function show() {
  if (!(field instanceof HTMLInputElement) || list === null || status === null) return
  const query = field.value.trim()
  const hits = query === '' ? [] : (await loaded())(query)
  // Somebody has typed on meanwhile.
  if (query !== field.value.trim()) return
  const terms = termsOf(query)
  list.replaceChildren(...hits.map((hit, index) => item(hit, index, terms)))
  status.textContent = hits.length > 0 || query === '' ? '' : `Nothing was found for "${query}".`
}

/** @param {Hit} hit @param {number} index @param {readonly string[]} terms */
function item({ page, section, sentence }, index, terms) {
  const option = element('li', { id: `guides-search-${index}`, role: 'option', 'aria-selected': 'false' })
  const anchor = section.anchor === undefined ? '' : `#${section.anchor}`
  const link = element('a', {
    href: `${base}${base.endsWith('/') ? '' : '/'}${page.url}${anchor}`,
    tabindex: '-1',
  })
  const text = element('span', { class: 'text' })
  const title = section.heading === '' ? page.title : `${page.title} › ${section.heading}`
  text.append(marked(element('span', { class: 'title' }), title, terms))
  if (sentence !== '') text.append(marked(element('span', { class: 'hit' }), sentence, terms))
  link.append(text)
  option.append(link)
  return option
}

/** A text with the words that were looked for. @param {HTMLElement} into @param {string} text @param {readonly string[]} terms */
function marked(into, text, terms) {
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    const isHit = wordsOf(part).some((word) => terms.some((term) => likeness(word, term) > 0))
    if (!isHit) into.append(part)
    else into.append(Object.assign(document.createElement('mark'), { textContent: part }))
  }
  return into
}

/** @param {string} name @param {Record<string, string>} attributes */
function element(name, attributes) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  return made
}

document.addEventListener(
  'input',
  (event) => {
    if (event.target !== field) return
    event.stopImmediatePropagation()
    show().catch((error) => {
      if (status !== null) status.textContent = error.message
    })
  },
  { capture: true },
)
