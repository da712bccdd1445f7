import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { root } from '../examples/support.js'
import { blocksOf, linksOf, tableAfter } from '../readme/markdown.js'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const contributing = read('CONTRIBUTING.md')
const rooms = tableAfter(contributing, '## A map of the house')
const inTicks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside)

describe('CONTRIBUTING.md', () => {
  test('names five commands, and scripts that exist', () => {
    const commands = tableAfter(contributing, '## Five commands').map(([, command]) => command)
    expect(commands).toHaveLength(5)
    const scripts = Object.keys(manifest.scripts)
    const named = [...contributing.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThanOrEqual(5)
    expect(named.filter((name = '') => !scripts.includes(name))).toEqual([])
  })

  test('has every place of the house on its map, and none that is not there', () => {
    const places = rooms.map(([place]) => inTicks(place)[0] ?? '')
    for (const place of places) expect(existsSync(join(root, place)), place).toBe(true)
    const source = readdirSync(join(root, 'src')).map((name) => `src/${name}`)
    expect(places.filter((place) => place.startsWith('src/')).sort()).toEqual(source.sort())
  })

  test('names files that exist where it says what goes where', () => {
    const files = inTicks(contributing).filter((text) =>
      /^(?:src|test|docs|\.github|\.ci)\/[\w./-]+$/.test(text),
    )
    expect(files.length).toBeGreaterThan(15)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  })

  const folders = rooms.flatMap(([place, , imports = '']) => {
    const name = /^`src\/([a-z-]+)`$/.exec(place)?.[1]
    return name === undefined ? [] : [{ name, allowed: inTicks(imports) }]
  })

  test.each(folders)('says what src/$name imports', ({ name, allowed }) => {
    const files = readdirSync(join(root, 'src', name), { recursive: true, encoding: 'utf8' })
    const imported = new Set<string>()
    for (const file of files.filter((one) => /\.tsx?$/.test(one))) {
      const path = join('src', name, file)
      for (const [, from = ''] of read(path).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
        const [, place = '', inside] = join(dirname(path), from).split('/')
        const to = inside === undefined ? place.replace(/\.js$/, '') : place
        if (to !== name) imported.add(to)
      }
    }
    expect([...imported].filter((one) => !allowed.includes(one))).toEqual([])
  })
})

describe.each(['CONTRIBUTING.md', 'SECURITY.md', 'docs/security.md', 'docs/versions.md'])('%s', (page) => {
  const text = read(page)

  test('links to files and headings that exist', () => {
    const links = [
      ...linksOf(text),
      ...[...text.matchAll(/\]\(([^)\s]+#[^)\s]+)\)/g)].map(([, link = '']) => link),
    ]
    for (const link of links) {
      const [file = '', heading] = link.split('#')
      const path = join(dirname(page), file)
      expect(existsSync(join(root, path)), link).toBe(true)
      if (heading !== undefined) expect(headingsOf(read(path)), link).toContain(heading)
    }
  })

  test('has no program that nobody runs, and no address that nobody reads', () => {
    expect(blocksOf(text)).toEqual([])
    expect(text).not.toMatch(/[\w.]+@[\w-]+\.[a-z]{2,}|mailto:/)
  })
})

test.each([
  ['src/client/auth/token-keeper.ts', 'mostKept = 1000', 'the newest 1,000'],
  ['src/client/http/request-headers.ts', 'mostTokens = 16', 'the last 16'],
  ['src/callbacks/seen.ts', 'mostRemembered = 10_000', 'the newest 10,000'],
  ['src/client/redact/gateway-text.ts', 'shownCharacters = 200', 'cut to 200 characters'],
  [
    'src/client/redact/search-terms.ts',
    'shortestSecret = 3',
    'Values of one or two characters are not masked',
  ],
])('docs/security.md says what is in %s: %s', (file, constant, words) => {
  expect(read(file)).toContain(`const ${constant}`)
  expect(read('docs/security.md')).toContain(words)
})

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
