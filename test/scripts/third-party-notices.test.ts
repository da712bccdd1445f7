import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { runScript } from './support.js'

const root = new URL('../../', import.meta.url)
const dist = fileURLToPath(new URL('dist/', root))
const notices = readFileSync(new URL('THIRD-PARTY-NOTICES.md', root), 'utf8')
const packageInPath = /node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g

/** The packages that the source maps of dist name. The command line and the page have none. */
function namedInDist(): ReadonlySet<string> {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const maps = files.filter((name) => name.endsWith('.map')).map((name) => join(dist, name))
  const sources = maps.map((file) => JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).sources)).join()
  return new Set([...sources.matchAll(packageInPath)].map(([, name = '']) => name))
}

// That they say what is in dist is for `npm run notices -- --check` to see to, which .ci/run does.
describe('THIRD-PARTY-NOTICES.md', { timeout: 60_000 }, () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'notices-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('names every package that dist says it was made of, with its licence', () => {
    const named = namedInDist()
    expect([...named]).toEqual(expect.arrayContaining(['jose', 'zod', 'p-retry']))
    for (const name of named) expect(notices).toMatch(new RegExp(`^## ${name} \\d+\\.\\d+\\.\\d+$`, 'm'))
  })

  test('names what the page of the sandbox is made of', () => {
    const ofSandbox = readFileSync(new URL('packages/sandbox/THIRD-PARTY-NOTICES.md', root), 'utf8')
    const page = readFileSync(new URL('packages/sandbox/dist/page/NOTICES.txt', root), 'utf8')
    const names = page.split('\n---\n\n').map((notice) => notice.split('\n', 1)[0])
    expect(names).toContain('preact')
    for (const name of names) expect(ofSandbox).toContain(`\n## ${name} `)
  })

  test('does not name what is installed beside the package', () => {
    for (const name of Object.keys(manifest.dependencies)) expect(notices).not.toContain(`\n## ${name} `)
  })

  test('is refused when it is stale, with the way to mend it', () => {
    mkdirSync(join(folder, 'stale/sandbox'), { recursive: true })
    cpSync(
      fileURLToPath(new URL('packages/sandbox/THIRD-PARTY-NOTICES.md', root)),
      join(folder, 'stale/sandbox/THIRD-PARTY-NOTICES.md'),
    )
    writeFileSync(join(folder, 'stale/THIRD-PARTY-NOTICES.md'), notices.replace('## zod', '## zed'))
    const { status, stderr } = runScript('third-party-notices.mjs', '--check', '--out', `${folder}/stale/`)
    expect(status).toBe(1)
    expect(stderr).toBe(
      'THIRD-PARTY-NOTICES.md does not say what is in dist: run "npm run build && npm run notices" and commit it.\n',
    )
  })
})
