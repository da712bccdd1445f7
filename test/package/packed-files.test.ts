import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { run } from './setup/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { stdout } = await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
const [{ files, unpackedSize }]: [{ files: { path: string }[]; unpackedSize: number }] = JSON.parse(stdout)
const packed = files.map(({ path }) => path)
const code = packed.filter((path) => /\.c?js$/.test(path))

describe('what is packed', () => {
  test('are few files, and no source and no source map among them', () => {
    expect(packed.filter((path) => path.endsWith('.map'))).toEqual([])
    expect(packed.filter((path) => /\.tsx?$/.test(path) && !/\.d\.c?ts$/.test(path))).toEqual([])
    expect(packed.length).toBeLessThan(75)
    expect(unpackedSize).toBeLessThan(1_980_000)
  })

  test.each(code)('%s names no map that is not there', (path) => {
    expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/\n\/\/# sourceMappingURL=/)
  })

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
      /at readRows .*\n.*at read\d* .*\n.*at normaliseOptions .*\n.*at Object\.createSandbox /,
    )
  })
})
