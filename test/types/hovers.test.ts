import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileOf } from './compiler.js'
import { type Editor, editorOf } from './hover.js'

const places = [
  'client.payins.create',
  'client.payins.retrieve',
  'client.payins.waitFor',
  'client.payins.watch',
  'client.payins.customerAccount',
  'client.payouts.create',
  'client.payouts.retrieve',
  'client.balances.list',
  'client.authTokens.shareable',
  'new CallbackReceiver',
]

let editor: Editor
beforeAll(() => {
  expect(existsSync(fileOf('dist/index.d.ts')), 'npm run build').toBe(true)
  editor = editorOf(places)
})

describe.each(places)('over %s', (place) => {
  it('an editor shows what it takes and gives, and nothing of the inside', () => {
    const { signature } = editor.hover(place)
    expect(signature).toMatch(/\(.+\): \w+/)
    expect(signature).not.toMatch(/Calls|Scope|Exchange|Shape|Zod|any\b|import\(/)
    // Longer ones don't fit into the window of an editor.
    expect(signature.length).toBeLessThan(160)
  })

  it('it says what it does, what it throws, and shows it', () => {
    const { text, tags } = editor.hover(place)
    expect(text).toMatch(/^[A-Z].+/)
    expect(tags.map((tag) => tag.split(' ')[0])).toEqual(expect.arrayContaining(['@throws', '@example']))
  })

  it('it says nothing twice', () => {
    const { text, tags } = editor.hover(place)
    const said = [text, ...tags.filter((tag) => !tag.startsWith('@example'))]
      .flatMap((part) => part.split(/[.:;]\s|\n(?=[A-Z])/))
      .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
      .filter((sentence) => sentence.length > 20)
    expect(new Set(said).size).toBe(said.length)
  })
})
