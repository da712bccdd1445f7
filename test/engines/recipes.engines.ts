import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { guideOf, programsOf } from '../docs/guides.js'
import { databaseUrl, describeWith, ownName } from '../support/engines.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'
import { payoutOf } from './payouts/payout-of.js'

/** The recipe's own version, and the Node that it wants; undefined where the registry doesn't have them. */
function installed(folder: string): string | undefined {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'pg-boss@12.0.0', 'node@22'], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 120_000,
    })
  } catch {
    return undefined
  }
  const bin = join(folder, 'node_modules/.bin/node')
  const version = execFileSync(bin, ['--version'], { encoding: 'utf8' })
  return version.startsWith('v22') ? bin : undefined
}

describeWith('postgres', 'the recipe of pg-boss in docs/engines.md', () => {
  test('sends each payout once', { timeout: 180_000 }, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'pg-boss-'))
    const node = installed(folder)
    if (node === undefined) {
      process.stderr.write(
        'SKIPPED, because pg-boss 12 and node 22 cannot be installed: the recipe of pg-boss\n',
      )
      context.skip()
      return
    }
    const program = programsOf(guideOf('engines.md')).find(({ source }) => source.includes("from 'pg-boss'"))
    if (program === undefined) throw new Error('no program in docs/engines.md')
    symlinkSync(root, join(folder, 'node_modules/merchant-gateway'))
    mkdirSync(join(folder, 'src'))
    const payouts = [1, 2, 3].map(payoutOf)
    const source = `${program.source}
for (const payout of ${JSON.stringify(payouts)}) await boss.send('payouts', { payout }, queue)
`
    writeFileSync(join(folder, 'src/recipe.mjs'), source)
    const schema = ownName()
    await using sandbox = createSandbox({ rateLimit: false, payAfterMs: 0, magicAmounts: false })
    await sandbox.listen()
    // The first response gets lost, so that a run follows whose payout is there already.
    sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
    const env = {
      ...process.env,
      ...environmentOf(sandbox),
      DATABASE_URL: databaseUrl,
      PGBOSS_SCHEMA: schema,
    }
    const child = spawn(node, ['src/recipe.mjs'], { cwd: folder, env })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    try {
      const end = performance.now() + 60_000
      const isDone = () => payouts.every(({ idPayout }) => output.includes(`${idPayout} SUCCESS`))
      while (!isDone() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
      expect(output.trim().split('\n').sort()).toEqual(payouts.map(({ idPayout }) => `${idPayout} SUCCESS`))
      expect(sandbox.payouts.size).toBe(3)
    } finally {
      child.kill('SIGKILL')
      const admin = new Client({ connectionString: databaseUrl })
      await admin.connect()
      await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
      await admin.end()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
