import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseUrl, describeWith, ownName } from '../support/engines.js'
import { root } from '../support/root.js'
import { numberAwaits } from './web-shop/awaits.js'
import { type Place, Shop } from './web-shop/shop.js'

/**
 * A shop waits far more than it computes: for a start, a status, a lock of a worker that was killed. Each has about
 * eight connections to PostgreSQL, which takes a hundred from all tests.
 */
const atOnce = 4

/** Work of a worker that was killed is taken over sooner, and so is looked at what a lost callback would have said. */
function impatient(program: string): string {
  const options = '{ connection, onChange }'
  if (!program.includes(options)) throw new Error('the worker of the shop has other options')
  const sooner = 'lockMs: 2_000, checkLocksMs: 500, job: { firstPollMs: 500 }'
  return program.replace(options, `{ connection, onChange, ${sooner} }`)
}

const dieAt = join(root, 'test/examples/web-shop/die-at-await.mjs')
const shopSource = impatient(readFileSync(join(root, 'examples/web-shop.mjs'), 'utf8'))
const { source, sites } = numberAwaits(shopSource, dieAt)
/** All awaits of the shop and of its tables: trying it out is not the shop. */
const awaits = sites.filter((site) => !site.includes('try-it.mjs'))

describeWith('postgres', 'examples/web-shop.mjs', () => {
  let place: Place
  beforeAll(async () => {
    // Ignored by git.
    mkdirSync(join(root, 'coverage'), { recursive: true })
    const folder = mkdtempSync(join(root, 'coverage', 'web-shop-'))
    const program = join(folder, 'web-shop.mjs')
    // One file, since it starts some eighty times: most of a start is the loading of modules.
    await build({
      stdin: { contents: source, resolveDir: join(root, 'examples') },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['pg-native', './web-shop/try-it.mjs'],
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url)" },
      logLevel: 'error',
    })
    place = {
      folder,
      program,
      database: new Pool({ connectionString: databaseUrl, max: 5 }),
      schema: ownName(),
    }
  })
  afterAll(async () => {
    const { database, schema, folder } = place
    await database.query(
      `DROP SCHEMA IF EXISTS ${schema} CASCADE; DROP SCHEMA IF EXISTS ${schema}_queue CASCADE`,
    )
    await database.end()
    rmSync(folder, { recursive: true })
  })

  test('is killed at every await, and each order has one payin, one shipment and one refund', async () => {
    const began = performance.now()
    await using first = await Shop.open(place)
    await first.migrate()
    const shops = [first]
    const deaths = () => shops.flatMap((shop) => shop.deaths)
    let next = 1
    let isOver = false
    const live = async () => {
      await using shop = await Shop.open(place)
      shops.push(shop)
      // One that has come to its end alive has passed all points.
      while (!isOver) if (!(await shop.live({ count: next++ }))) isOver = true
    }
    await Promise.all([first.startAgain(), ...Array.from({ length: atOnce - 1 }, live)])
    const missing = () => awaits.filter((one) => !deaths().some(({ site }) => site === one))
    // Where worker, callback and customer are at work together, chance decides which of their awaits is the next.
    for (let lives = 0; lives < 10; lives++) {
      const [site] = missing()
      if (site !== undefined) await first.live({ site })
    }
    expect(missing()).toEqual([])
    process.stderr.write(
      `The web shop was killed ${deaths().length} times, at ${awaits.length} awaits, in ${Math.round((performance.now() - began) / 1000)} s.\n`,
    )
    const { rows } = await place.database.query(
      `SELECT orders.*, shipments.id AS shipped FROM ${place.schema}.orders LEFT JOIN ${place.schema}.shipments USING (id)`,
    )
    const rest = new Set(
      rows.map(({ status, paid, refund, shipped }) => `${status} ${paid} ${refund} ${shipped !== null}`),
    )
    expect([...rest]).toEqual(['SUCCESS true SUCCESS true'])
  }, 300_000)
})
