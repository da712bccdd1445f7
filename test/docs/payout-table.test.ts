import { expect, test } from 'vitest'
import { guideOf } from './guides.js'

/** Where Node has a database of its own (22.13 and newer), the statements of the page are run in it. */
interface Database {
  exec(sql: string): void
  prepare(sql: string): { all(parameters?: Record<string, number | string>): unknown[] }
}

const [create = '', take = '', keep = '', settle = ''] = guideOf('outbox.md')
  .blocks.filter(({ language }) => language === 'sql')
  .map(({ code }) => code)
const open = await database()

test.skipIf(open === undefined)('the statements of docs/outbox.md do what the page says', () => {
  if (open === undefined) return
  const db = open()
  const add = (id: string, withdrawal: string) =>
    db.exec(
      `INSERT INTO payout (id_payout, withdrawal, amount, currency, account_name, account_number)
       VALUES ('${id}', '${withdrawal}', '25.00', 'EUR', 'Jana Example', '000123-0123456789')`,
    )
  const takeAt = (now: number) => db.prepare(take).all({ $1: now })
  const keepAt = (now: number, tries: number) => db.prepare(keep).all({ $1: now, $2: 'w-1', $3: tries })
  const settleAs = (state: string, due: number, tries: number) =>
    db.prepare(settle).all({ $1: due, $2: 'w-1', $3: tries, $4: state })
  const row = () => db.prepare('SELECT state, tries, next_try_at FROM payout').all()
  db.exec(create)
  add('w-1', 'order-1')
  expect(() => add('w-2', 'order-1')).toThrow(/UNIQUE/)
  expect(() => add('w-1', 'order-2')).toThrow(/UNIQUE/)
  expect(takeAt(1000)).toMatchObject([{ id_payout: 'w-1', amount: '25.00', tries: 1, state: 'open' }])
  expect(takeAt(1000)).toEqual([])
  // Kept while the call is under way, and anybody's ten seconds after its process has died.
  keepAt(9000, 1)
  expect(takeAt(18_999)).toEqual([])
  expect(takeAt(19_000)).toMatchObject([{ id_payout: 'w-1', tries: 2 }])
  // The one that stood still goes on: the row is not its own any more.
  keepAt(28_000, 1)
  settleAs('refused', 28_000, 1)
  expect(row()).toMatchObject([{ state: 'open', tries: 2, next_try_at: 29_000 }])
  settleAs('open', 80_000, 2)
  expect(takeAt(79_999)).toEqual([])
  expect(takeAt(80_000)).toMatchObject([{ tries: 3 }])
  settleAs('sent', 80_000, 3)
  settleAs('review', 80_000, 3)
  expect(row()).toMatchObject([{ state: 'sent' }])
  expect(takeAt(1_000_000)).toEqual([])
})

test('docs/outbox.md has the table and three statements', () => {
  expect(create).toMatch(/^CREATE TABLE payout/)
  expect(take).toMatch(/^UPDATE payout[\s\S]*RETURNING \*;$/)
  // Whoever has lost its row to another worker changes nothing.
  for (const statement of [keep, settle]) {
    expect(statement).toMatch(/WHERE id_payout = \$2 AND tries = \$3 AND state = 'open';$/)
  }
})

async function database(): Promise<(() => Database) | undefined> {
  // Not there in Node 20, and not in its types.
  const name: string = 'node:sqlite'
  try {
    const { DatabaseSync }: { DatabaseSync: new (path: string) => Database } = await import(
      /* @vite-ignore */ name
    )
    return () => new DatabaseSync(':memory:')
  } catch {
    return undefined
  }
}
