import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.js'

const inside = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name)))
const pages = [...readdirSync(root), ...['docs', 'examples', 'bench'].flatMap(inside)].filter(
  (name) => name.endsWith('.md') && !name.includes('node_modules'),
)

test('every file of ours that a page names is there', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/decisions/0003-undici-dispatch.md']))
  const missing = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/`((?:bench|docs|etc|examples|scripts|src|test)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${path}`)
  })
  expect(missing).toEqual([])
})
