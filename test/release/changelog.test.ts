import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { root } from '../support/root.js'

interface Note {
  readonly id: string
  readonly summary: string
}

interface Changelog {
  readonly listsOf: (note: Note) => readonly (readonly [heading: string, list: string])[]
  readonly withRelease: (changelog: string, notes: readonly Note[], version: string, day: string) => string
}

const file = new URL('../../scripts/changelog.mjs', import.meta.url).href
const { listsOf, withRelease }: Changelog = await import(file)

describe('a release in the changelog', () => {
  const changelog = '# Changelog\n\nAll changes.\n\n## [0.2.0] - 2026-11-22\n\n### Added\n\n- Old.\n'

  test('stands above the others and gathers the lists of all notes under its heading, with what breaks first', () => {
    const notes = [
      { id: 'z', summary: '### Breaking\n\n- `a()` is `b()`.' },
      { id: 'a', summary: '### Fixed\n\n- What was wrong.\n\n### Added\n\n- One thing.' },
      { id: 'b', summary: '### Added\n\n- Another.\n- And a third,\n  of two lines.' },
    ]
    expect(withRelease(changelog, notes, '0.3.0', '2026-11-30')).toBe(`# Changelog

All changes.

## [0.3.0] - 2026-11-30

### Breaking

- \`a()\` is \`b()\`.

### Added

- One thing.
- Another.
- And a third,
  of two lines.

### Fixed

- What was wrong.

## [0.2.0] - 2026-11-22

### Added

- Old.
`)
  })

  test.each([
    ['A sentence.', '.changeset/a.md has to begin with one of the headings "### Breaking"'],
    ['A sentence.\n\n### Added\n\n- One.', '.changeset/a.md has to begin with one of the headings'],
    ['', '.changeset/a.md has to begin with one of the headings'],
    ['### New\n\n- One.', '.changeset/a.md has the heading "New"; there are Breaking, Added, Changed, '],
    ['### Added\n\nOne.', '.changeset/a.md has no list ("- …") under "Added".'],
    ['### Added\n\n### Fixed\n\n- One.', '.changeset/a.md has no list ("- …") under "Added".'],
    ['### Added\n\n- One.\n\n## [9.9.9] - 2026-01-01', '.changeset/a.md has a line with "#" in the list'],
  ])('takes no note %j', (summary, message) => {
    expect(() => withRelease(changelog, [{ id: 'a', summary }], '0.3.0', '2026-11-30')).toThrow(message)
  })
})

const folder = join(root, '.changeset')
const notes = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
const json = (path: string): { name: string } => JSON.parse(readFileSync(join(root, path), 'utf8'))
const versions = z.partialRecord(
  z.enum([json('package.json').name, json('packages/sandbox/package.json').name]),
  z.enum(['patch', 'minor', 'major']),
)

test.each(notes)('the note %s is one that a release takes, and its links lead somewhere', (name) => {
  const [, front = '', summary = ''] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(folder, name), 'utf8')) ?? []
  expect(Object.keys(versions.parse(parse(front)))).not.toEqual([])
  expect(listsOf({ id: name.replace('.md', ''), summary: summary.trim() })).not.toEqual([])
  for (const [, link = ''] of summary.matchAll(/\]\((?!https:)([^)#]+)/g)) {
    expect(existsSync(join(root, link)), link).toBe(true)
  }
})

test('the changelog has versions with their day, and what comes next is in notes', () => {
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gm) ?? []
  expect(headings.length).toBeGreaterThan(0)
  for (const heading of headings) expect(heading).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/)
})
