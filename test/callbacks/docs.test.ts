import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, tableAfter } from '../readme/markdown.js'
import { root } from '../support/root.js'
import { FakeClient, receiverOver } from './support.js'

const page = readFileSync(join(root, 'docs/callbacks.md'), 'utf8')
const blocks = blocksOf(page, 'callbacks')
// test/package/callbacks-page.package.ts runs the programs.

test('there are no programs in a language that is not run', () => {
  expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['js', 'sql'])
})

test('the table of responses names every count but the pending ones', () => {
  const { receiver } = receiverOver(new FakeClient())
  const named = tableAfter(page, '| status | when |').map(([, , counted]) => counted?.replaceAll('`', ''))
  expect([...named, 'pending'].sort()).toEqual(Object.keys(receiver.counts).sort())
})
