import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../support/root.js'

let etc: string

beforeEach(async () => {
  etc = await mkdtemp(join(tmpdir(), 'merchant-gateway-etc-'))
  await cp(`${root}etc`, etc, { recursive: true })
})

afterEach(() => rm(etc, { recursive: true, force: true }))

function report(...args: string[]): Promise<{ code: number; told: string }> {
  return new Promise((resolve) => {
    const script = `${root}scripts/api-report.mjs`
    const child = execFile(process.execPath, [script, '--etc', etc, ...args], (_error, _out, told) => {
      resolve({ code: child.exitCode ?? -1, told })
    })
  })
}

// That the reports are what dist exports is for `npm run reports -- --check` to say, which .ci/run does.
describe('the report of the public API', { timeout: 120_000 }, () => {
  it('fails when the API has changed, and says what to do and what has changed', async () => {
    const file = join(etc, 'merchant-gateway.api.md')
    const kept = await readFile(file, 'utf8')
    await writeFile(file, kept.replace('    retries?: number | undefined;\n', '    tries?: number;\n'))
    const { code, told } = await report('--main', '--check')
    expect(code).toBe(1)
    expect(told).toContain('run `npm run reports` and commit the report')
    expect(told).toContain('-     tries?: number;')
  })

  it('shows nothing that a build makes anew', async () => {
    const text = await readFile(`${root}etc/merchant-gateway-callbacks.api.md`, 'utf8')
    expect(text).not.toMatch(/client-[\w-]+\.js|dist/)
    expect(text).toContain('From the main entry: `GatewayClient`')
  })
})
