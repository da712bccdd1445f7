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
  test('names scripts that exist', () => {
    const scripts = Object.keys(manifest.scripts)
    const named = [...contributing.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name)
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

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
