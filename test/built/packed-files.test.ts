import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../package/setup/run.js'
import { root } from '../support/root.js'

interface Packed {
  readonly paths: string[]
  readonly codeBytes: number
  readonly documentBytes: number
}

async function packed(folder: string): Promise<Packed> {
  const cwd = join(root, folder)
  const { stdout } = await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'], { cwd })
  const [{ files }]: [{ files: { path: string; size: number }[] }] = JSON.parse(stdout)
  const [code, documents] = [true, false].map((isCode) =>
    files.filter(({ path }) => path.startsWith('dist/') === isCode),
  )
  const bytesOf = (some: typeof files = []) => some.reduce((sum, { size }) => sum + size, 0)
  return {
    paths: files.map(({ path }) => path),
    codeBytes: bytesOf(code),
    documentBytes: bytesOf(documents),
  }
}

describe.each([
  // About twenty of these are what the command loads when it runs, and four what entries share.
  ['merchant-gateway', '.', await packed('.'), 104, 2_080_000, 550_000],
  ['merchant-gateway-sandbox', 'sandbox', await packed('sandbox'), 17, 1_520_000, 15_000],
] as const)(
  'what is packed of %s',
  (_name, folder, { paths, codeBytes, documentBytes }, mostFiles, mostCode, mostDocuments) => {
    test('are few files, and no source and no source map among them', () => {
      expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
      expect(paths.filter((path) => /\.tsx?$/.test(path) && !/\.d\.c?ts$/.test(path))).toEqual([])
      expect(paths.filter((path) => path.startsWith('dist/')).length).toBeLessThan(mostFiles)
      expect(codeBytes).toBeLessThan(mostCode)
      expect(documentBytes).toBeLessThan(mostDocuments)
    })

    test('names no map that is not there, and what is ours can be read', () => {
      for (const path of paths.filter((path) => /\.c?js$/.test(path))) {
        const text = readFileSync(join(root, folder, path), 'utf8')
        expect(text, path).not.toMatch(/\n\/\/# sourceMappingURL=/)
        // An uncaught error begins with the line that threw it. The page is for browsers.
        if (path.startsWith('dist/page/') || path.includes('csv-library')) continue
        // One line of a library is a regular expression of all emoji.
        const long = text.split('\n').filter((line) => line.length > 2000 && !line.includes('\\uD83C\\uDFF4'))
        expect(long, path).toEqual([])
      }
    })
  },
)

describe('stack traces', () => {
  const callers: readonly [string, string][] = [
    ['index.js', "import('merchant-gateway')"],
    ['index.cjs', "Promise.resolve(require('merchant-gateway'))"],
  ]
  test.each(callers)('an error thrown in %s names the functions that it went through', async (file, load) => {
    const program = `${load}.then(({ money }) => money('x', 'EUR')).catch((error) => console.log(error.stack))`
    const { stdout, stderr } = await run([process.execPath, '-e', program], { cwd: root })
    expect(stderr).toBe('')
    const at = stdout.split('\n').filter((line) => line.includes(`/dist/${file}:`))
    expect(at.join('\n')).toMatch(/at exactAmount .*\n.*at exactMoney .*\n.*at money /)
  })

  test('an error thrown in the sandbox does so too', async () => {
    const program = `try { require('merchant-gateway-sandbox').createSandbox({ rateLimit: 'x' }) } catch (error) { console.log(error.stack) }`
    const { stdout, stderr } = await run([process.execPath, '-e', program], { cwd: root })
    expect(stderr).toBe('')
    expect(stdout).toMatch(
      /at check .*\n.*at read\d* .*\n.*at normaliseOptions .*\n.*at Object\.createSandbox /,
    )
  })
})
