import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { filesBelow } from './setup/files.js'
import { run } from './setup/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = join(root, 'dist')
const maps = (await filesBelow(dist)).filter((file) => file.endsWith('.map'))

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly (string | null)[]
}

describe('source maps', () => {
  test('there is one for every file of code that a merchant loads', async () => {
    const code = (await filesBelow(dist)).filter((file) => /\.c?js$/.test(file))
    const without = code.filter((file) => !maps.includes(`${file}.map`)).map((file) => relative(dist, file))
    expect(without.sort()).toEqual(['cli/index.js', 'sandbox/page/page.js'])
  })

  test.each(maps.map((file) => relative(dist, file)))('%s leads to the source', (name) => {
    const file = join(dist, name)
    const { sources, sourcesContent = [] }: SourceMap = JSON.parse(readFileSync(file, 'utf8'))
    expect(readFileSync(file.replace(/\.map$/, ''), 'utf8')).toMatch(/\n\/\/# sourceMappingURL=\S+\.map\s*$/)
    const own = sources.flatMap((source, index) =>
      source.includes('node_modules/') ? [] : [{ source, content: sourcesContent[index] }],
    )
    expect(own.length).toBeGreaterThan(0)
    for (const { source, content } of own) {
      const path = resolve(dirname(file), source)
      expect(content ?? textOfPacked(path), source).toBe(readFileSync(originalOf(path), 'utf8'))
    }
  })

  const callers: readonly [string, string][] = [
    ['index.js', "import('merchant-gateway')"],
    ['index.cjs', "Promise.resolve(require('merchant-gateway'))"],
  ]
  test.each(callers)('an error thrown in %s names the line of the source', async (_, load) => {
    const program = `${load}.then(({ money }) => money('x', 'EUR')).catch((error) => console.log(error.stack))`
    const { stdout, stderr } = await run([process.execPath, '--enable-source-maps', '-e', program], {
      cwd: root,
    })
    expect(stderr).toBe('')
    const [, line = ''] = /at money \(.*src\/schemas\/money\.ts:(\d+):\d+\)/.exec(stdout) ?? []
    const above = readFileSync(join(root, 'src/schemas/money.ts'), 'utf8').split('\n').slice(0, Number(line))
    expect(above.findLast((text) => text.startsWith('export '))).toContain('function money(')
  })
})

/** A source that is in the tarball itself. */
function textOfPacked(path: string): string | undefined {
  return path.startsWith(dist) && existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The file of the repository that a source map means. */
function originalOf(path: string): string {
  return path.startsWith(dist) ? join(root, relative(dist, path)) : path
}
