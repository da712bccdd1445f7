import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../support/bundle.js'
import { databaseUrl, describeWith } from '../support/engines.js'
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
  const sooner: readonly (readonly [string, string])[] = [
    ['...workerOptions }', '...workerOptions, lockDuration: 2_000, stalledInterval: 500 }'],
    ['{ onCreated, onChange }', '{ onCreated, onChange, firstPollMs: 500 }'],
  ]
  return sooner.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the shop has no ${from}`)
    return text.replace(from, to)
  }, program)
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
    await bundle({ contents: source, resolveDir: join(root, 'examples') }, program, ['./web-shop/try-it.mjs'])
    place = {
      folder,
      program,
      database: new Pool({ connectionString: databaseUrl, max: 5 }),
    }
  })
  afterAll(async () => {
    const { database, folder } = place
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
    const rest = new Set<string>()
    const live = async () => {
      await using shop = await Shop.open(place)
      shops.push(shop)
      await shop.makeTables()
      // One that has come to its end alive has passed all points.
      while (!isOver) if (!(await shop.live({ count: next++ }))) isOver = true
      for (const order of await shop.orders()) rest.add(order)
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
    for (const order of await first.orders()) rest.add(order)
    expect([...rest]).toEqual(['SUCCESS true SUCCESS true'])
  }, 600_000)
})
