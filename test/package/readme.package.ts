import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { blocksOf } from '../readme/markdown.js'
import { linksIn } from './setup/links.js'
import { run } from './setup/run.js'
import { nodes, oldestNode } from './setup/tools.js'

const modules = join(inject('installed'), 'node_modules')
const readme = await readFile(join(modules, 'merchant-gateway/README.md'), 'utf8')
const programs = blocksOf(readme).filter(({ language }) => language === 'js')

test.each([
  'merchant-gateway',
  'merchant-gateway-sandbox',
  'merchant-gateway-cli',
  'merchant-gateway-signer',
])('every link of the pages in %s leads to a file of the package', async (name) => {
  const { links, dead } = await linksIn(join(modules, name))
  expect(dead).toEqual([])
  if (name === 'merchant-gateway') expect(links).toBeGreaterThan(100)
})

test.each([oldestNode, nodes.at(-1) ?? oldestNode])(
  'the programs of the README run as they stand from an empty folder, on $name',
  async ({ command }) => {
    const folder = await mkdtemp(join(inject('installed'), 'readme-'))
    const printed = await Promise.all(
      programs.map(async ({ code }, index) => {
        await writeFile(join(folder, `${index}.mjs`), code)
        return run([...command, `${index}.mjs`], { cwd: folder })
      }),
    )
    expect(printed).toEqual([
      { code: 0, stdout: 'SUCCESS\n', stderr: '' },
      { code: 0, stdout: 'try again, with the same id\nan earlier try sent it\n', stderr: '' },
    ])
  },
)
