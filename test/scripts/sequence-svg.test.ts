import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const file = new URL('../../scripts/docs/sequence-svg.mjs', import.meta.url).href
const { sequenceSvg }: { sequenceSvg: (source: string) => string } = await import(file)

const diagram = `sequenceDiagram
  participant P as your <process>
  participant G as gateway
  P->>G: POST w-1
  G--xP: 200
  Note over P: timeout, outcome unknown
`

test('a diagram shows who takes part, what is said, and what is lost', () => {
  const svg = sequenceSvg(diagram)
  expect(svg.match(/class="who"/g)).toHaveLength(2)
  expect(svg).toContain('your &lt;process&gt;')
  expect(svg.match(/class="tip"/g)).toHaveLength(1)
  expect(svg.match(/class="lost"/g)).toHaveLength(1)
  expect(svg).toContain(
    'aria-label="your &lt;process&gt; to gateway: POST w-1. gateway to your &lt;process&gt;: 200, which is lost. your &lt;process&gt;: timeout, outcome unknown."',
  )
})

test('is one piece of HTML for Markdown: no empty line, and nothing that runs or loads', () => {
  const svg = sequenceSvg(diagram)
  expect(svg).not.toMatch(/\n|<script|href=|\bon\w+=/)
})

test.each([
  ['graph TD', 'only sequence diagrams are drawn'],
  ['sequenceDiagram\n  loop every day', "a line that can't be drawn: loop every day"],
  ['sequenceDiagram\n  participant P as p\n  P->>Q: x', 'Q takes no part in this diagram'],
])('refuses what it would leave out: %j', (source, sentence) => {
  expect(() => sequenceSvg(source)).toThrow(sentence)
})

test('draws every diagram of the guides', () => {
  const guide = readFileSync(new URL('../../docs/exactly-once.md', import.meta.url), 'utf8')
  const sources = [...guide.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, source = '']) => source)
  expect(sources.length).toBeGreaterThan(3)
  for (const source of sources) expect(sequenceSvg(source)).toContain('<svg')
})
