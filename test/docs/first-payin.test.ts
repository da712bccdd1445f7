import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { closedAddress } from '../support/listening.js'
import { guideOf } from './guides.js'
import { Session } from './session.js'

const update = process.env.UPDATE_DOCS === '1'
const guide = guideOf('first-payin.md')

test.concurrent.each([
  ['as it stands', undefined],
  ['with a gateway that shows nothing but the specification', 'specification'],
])('docs/first-payin.md can be walked from its first command to its last, %s', async (_how, strictness) => {
  // The page's ports may be somebody's on this machine.
  const ports = new Map([
    ['4010', await freePort()],
    ['4020', await freePort()],
  ])
  const session = new Session(strictness)
  let printed = ''
  try {
    for (const [index, { language, code }] of guide.blocks.entries()) {
      const here = swap(code, ports)
      if (language === 'sh') printed = await session.run(here)
      else if (language === 'js') session.write(fileAskedFor(index), here)
      else if (strictness !== undefined) expect(printed).not.toMatch(/undefined|null/)
      else if (update) put(code, swap(printed, new Map([...ports].map(([page, free]) => [free, page]))))
      else expect(steady(printed)).toBe(steady(here))
    }
  } finally {
    await session.end()
  }
})

test('docs/first-payin.md shows one reference, and no second payin', () => {
  const references = guide.text.match(/(?<=reference )\d{12}\b/g) ?? []
  expect(new Set(references).size).toBe(1)
  expect(references).toHaveLength(2)
  expect(guide.text).toContain('\nThis payin is there already\n')
})

test('every text of docs/first-payin.md follows the command that prints it', () => {
  for (const [index, { language }] of guide.blocks.entries()) {
    if (language === 'text') expect(guide.blocks[index - 1]?.language).toBe('sh')
  }
})

/** The program that the command after it runs. */
function fileAskedFor(index: number): string {
  return /^node (\S+)$/.exec(guide.blocks[index + 1]?.code ?? '')?.[1] ?? 'nobody-runs-it.mjs'
}

function swap(text: string, ports: ReadonlyMap<string, string>): string {
  return [...ports].reduce((swapped, [from, to]) => swapped.replaceAll(from, to), text)
}

/** What differs from run to run: fingerprints, times, references, and the version of Node. */
function steady(text: string): string {
  return text
    .trim()
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d{12}\b/g, 'REFERENCE')
    .replaceAll(/in \d+ ms/g, 'in N ms')
    .replaceAll(/^(ok {4}node {10})\S+/gm, '$1VERSION')
}

function put(shown: string, printed: string): void {
  const page = readFileSync(guide.path, 'utf8')
  writeFileSync(
    guide.path,
    page.replace(`\`\`\`text\n${shown}\n\`\`\``, () => `\`\`\`text\n${printed.trim()}\n\`\`\``),
  )
}

async function freePort(): Promise<string> {
  return new URL(await closedAddress()).port
}
