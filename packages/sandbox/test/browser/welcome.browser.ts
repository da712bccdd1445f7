import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { openGateway } from './gateway.js'
import { watched } from './watched.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

describe.skipIf(chromiumPath === undefined)('what can be copied from the page', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    browser = await launch()
    folder = mkdtempSync(join(tmpdir(), 'welcome-'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'merchant-gateway'), 'dir')
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules', 'vitest'), 'dir')
    symlinkSync(
      join(root, 'packages/sandbox'),
      join(folder, 'node_modules', 'merchant-gateway-sandbox'),
      'dir',
    )
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a program as it stands in a project that has the package installed. */
  async function run(name: string, program: string, env: NodeJS.ProcessEnv, by = [process.execPath]) {
    writeFileSync(join(folder, name), program)
    const [command = '', ...args] = by
    const child = spawn(command, [...args, name], { cwd: folder, env: { PATH: process.env.PATH, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    return { code, output }
  }

  test('runs as it stands, beside the command that serves the page, and what it makes appears there', async () => {
    const args = [join(root, 'packages/sandbox/dist/bin.js')]
    const home = { HOME: folder, USERPROFILE: folder }
    const sandbox = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...home } })
    try {
      let printed = ''
      sandbox.stdout.on('data', (chunk) => (printed += chunk))
      await expect.poll(() => printed, { timeout: 20_000 }).toContain('Ctrl-C ends it')
      const { page, done } = await watched(browser)
      await page.goto(/Its page: (\S+)/.exec(printed)?.[1] ?? '')
      await page.getByRole('heading', { name: 'Create the first payment' }).waitFor()
      const program = await page
        .locator('.welcome .code', { hasText: /^payin\.mjs/ })
        .locator('pre')
        .textContent()
      const made = await run('payin.mjs', program ?? '', {})
      expect(made).toMatchObject({ code: 0 })
      const [, id = ''] = /^Accepted: ([0-9a-f-]{36})\nIt is SUCCESS\n$/.exec(made.output) ?? []
      expect(made.output).toContain(`Accepted: ${id}\nIt is SUCCESS\n`)
      await page
        .locator('.row', { hasText: new RegExp(id) })
        .getByText('SUCCESS')
        .waitFor()
      await page.goto('about:blank')
      await done()
    } finally {
      sandbox.kill('SIGINT')
      await once(sandbox, 'close')
    }
  })

  test('runs as curl, as code and as a test', async () => {
    const gateway = await openGateway()
    const { page, context, done } = await watched(browser)
    const { privateKey } = gateway.sandbox.clientOptions()
    const GATEWAY_PRIVATE_KEY_FILE = join(folder, 'key.pem')
    writeFileSync(GATEWAY_PRIVATE_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const env = { GATEWAY_PRIVATE_KEY_FILE, GATEWAY_LIVE: 'false' }
    try {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      gateway.sandbox.fault({ route: 'create', action: { kind: 'drop-after' } })
      await gateway.payin('order-1').catch(() => undefined)
      await page.goto(`${gateway.url}#/requests`)
      // Two clicks: the request, and what it is copied as.
      await page.locator('.row', { hasText: /POST.*order-1/ }).click()
      const copied = async (name: string) => {
        await page.getByRole('button', { name }).click()
        await page.getByText(`${name}: done.`).waitFor()
        return page.evaluate<string>('navigator.clipboard.readText()')
      }
      const curl = await run('copied.sh', await copied('Copy as curl'), env, ['bash'])
      expect(curl.output).toMatch(/^HTTP\/1\.1 409 /m)
      const code = await run('copied.mjs', await copied('Copy as code'), env)
      expect(code).toMatchObject({ code: 0, output: expect.stringContaining('replayed: true') })
      const program = await copied('Copy as a test')
      expect(program).toContain(
        'sandbox.fault({ route: "POST /payins/{idPayin}", action: { kind: "drop-after" } })',
      )
      const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
      const tested = await run('copied.test.js', program, env, vitest)
      expect(tested).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') })
      await page.goto('about:blank')
      await done()
    } finally {
      await gateway.close()
    }
  })
})
