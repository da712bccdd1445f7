import { readFileSync } from 'node:fs'
import { SourceMap as NodeSourceMap } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { run } from './setup/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { stdout } = await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
const [{ files, unpackedSize }]: [{ files: { path: string }[]; unpackedSize: number }] = JSON.parse(stdout)
const packed = files.map(({ path }) => path)
const code = packed.filter((path) => /\.c?js$/.test(path))
const maps = packed.filter((path) => path.endsWith('.map'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly (string | null)[]
  readonly mappings: string
}

describe('source maps', () => {
  test('there is one for the main entry in each format, and no source is packed beside them', () => {
    expect(maps.sort()).toEqual(['dist/index.cjs.map', 'dist/index.js.map'])
    expect(packed.filter((path) => /\.tsx?$/.test(path) && !/\.d\.c?ts$/.test(path))).toEqual([])
    expect(packed.length).toBeLessThan(75)
    expect(unpackedSize).toBeLessThan(2_700_000)
  })

  test.each(code)('%s names a map only if it is packed', (path) => {
    const named = [...read(path).matchAll(/\n\/\/# sourceMappingURL=(\S+)/g)].map(([, name = '']) => name)
    expect(named).toEqual(maps.includes(`${path}.map`) ? [`${basename(path)}.map`] : [])
  })

  test.each(maps)('%s holds the sources of this package, and names no other file', (path) => {
    const { sources, sourcesContent }: SourceMap = JSON.parse(read(path))
    expect(sources.length).toBeGreaterThan(50)
    expect(sourcesContent).toHaveLength(sources.length)
    for (const [index, source] of sources.entries()) {
      expect(source).toMatch(/^\.\.\/src\//)
      expect(sourcesContent[index], source).toBe(read(join(dirname(path), source)))
    }
  })

  test.each(maps)(
    '%s leads to the line where the map that was built leads, and nowhere inside bundled libraries',
    (path) => {
      const leads = new NodeSourceMap(JSON.parse(read(path)))
      const built = new NodeSourceMap(JSON.parse(read(path.replace('dist/', 'dist/maps/'))))
      const lines = read(path.replace(/\.map$/, '')).split('\n')
      let ownPlaces = 0
      for (const [line, text] of lines.entries()) {
        for (let column = 0; column < text.length; column += 7) {
          const wanted = placeOf(built.findEntry(line, column))
          if (!wanted?.startsWith('../src/')) expect(placeOf(leads.findEntry(line, column))).toBeUndefined()
          else {
            expect(placeOf(leads.findEntry(line, column))).toBe(wanted)
            ownPlaces += 1
          }
        }
      }
      expect(ownPlaces).toBeGreaterThan(5000)
    },
  )

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

/** Source and line of an entry, or undefined where it leads nowhere. */
function placeOf(entry: object): string | undefined {
  if (!('originalSource' in entry) || entry.originalSource === undefined) return undefined
  const { originalSource, originalLine } = { originalLine: -1, ...entry }
  return `${originalSource}:${originalLine}`
}
