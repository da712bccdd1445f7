import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { linksOf } from '../../readme/markdown.js'
import { filesBelow } from './files.js'

/** Pictures of the sandbox's page are in the repository and on the site: in the package their text stands for them. */
const isPicture = (file: string) => file.endsWith('.webp')

/** How many links the pages and declarations of a package have, and which lead to no file in it. */
export async function linksIn(folder: string): Promise<{ links: number; dead: string[] }> {
  const files = (await filesBelow(folder)).filter((file) => /\.(?:md|d\.cts)$/.test(file))
  const all = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8')
      const targets = file.endsWith('.md')
        ? linksOf(text).map((link) => join(dirname(file), link))
        : [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([path]) => join(folder, path))
      return targets.map((target) => ({ file, target }))
    }),
  )
  const dead = all
    .flat()
    .filter(({ target }) => !isPicture(target) && (!target.startsWith(folder) || !existsSync(target)))
  return {
    links: all.flat().length,
    dead: dead.map(({ file, target }) => `${relative(folder, file)}: ${relative(folder, target)}`),
  }
}
