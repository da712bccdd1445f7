import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, linksOf, programOf } from '../readme/markdown.js'
import { root } from '../support/root.js'
import { complaintsOf } from './compile.js'

const page = readFileSync(join(root, 'AGENTS.md'), 'utf8')
const blocks = blocksOf(page, 'agents')
const rules = blocks.map(({ code }) => code).join('\n')

test('AGENTS.md takes 60 lines', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})

test('each of its rules has the wrong and the right', () => {
  const wrong = rules.match(/\/\/ WRONG/g)
  expect(wrong).toHaveLength(rules.match(/\/\/ RIGHT/g)?.length ?? 0)
  expect(wrong?.length).toBeGreaterThanOrEqual(10)
})

test('both compile, since no compiler finds what is wrong with the wrong', () => {
  const sources = blocks.map((block, index): [string, string] => [
    `agents-${index}.mts`,
    programOf(block, blocks),
  ])
  expect(complaintsOf(new Map(sources))).toEqual([])
})

test('it leads to pages of the package', () => {
  expect(linksOf(page).length).toBeGreaterThan(3)
})
