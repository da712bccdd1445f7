// @ts-check
// The home page of the site: the first screen of README.md, and six cards.
import { resolve } from 'node:path'
import { withLinks } from './links.mjs'

const root = resolve(import.meta.dirname, '../..')
const end = '<!-- The home page of the site ends here. -->'

/** What a reader has come for, and the page to begin with. */
const cards = [
  ['Learn it', 'docs/first-payin.md', 'From an empty folder to a paid payin and its callback, in minutes.'],
  ['Build a shop', 'docs/express.md', 'Take payins with Express, NestJS or Next.js, and receive callbacks.'],
  ['Send money', 'docs/payouts.md', 'Payouts from a file, a table or a queue, each of them paid once.'],
  [
    'Test',
    'docs/testing-with-vitest.md',
    'The sandbox in your tests: lost responses, crashes, and a clock of its own.',
  ],
  ['Handle an error', 'docs/errors.md', 'Every code, what it means for the money, and what to do.'],
  ['Go live', 'docs/go-live.md', 'A checklist, from the key to the first payment with real money.'],
]

/**
 * @param {import('typedoc').ProjectReflection} project
 * @param {readonly import('typedoc').CommentDisplayPart[]} readme
 * @returns {import('typedoc').CommentDisplayPart[]}
 */
export function homeOf(project, readme) {
  const last = readme.findIndex(({ text }) => text.includes(end))
  const part = readme[last]
  if (part === undefined) throw new Error(`README.md has no line ${end}`)
  const list = cards.map(([title, page, about]) => `- [**${title}**](${page}) ${about}`).join('\n')
  const rest = 'All pages: [the guides](docs/README.md).'
  const text = `${part.text.slice(0, part.text.indexOf(end))}\n\n<div class="cards">\n\n${list}\n\n</div>\n\n${rest}\n`
  const [title, ...others] = readme.slice(0, last)
  if (title === undefined) throw new Error('README.md ends with its first text')
  return [
    // TypeDoc shows the name with the version.
    { ...title, text: title.text.replace(/^# .*\n/, '') },
    ...others,
    ...withLinks({ kind: 'text', text }, project, resolve(root, 'README.md')),
  ]
}
