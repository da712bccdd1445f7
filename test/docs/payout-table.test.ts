import { expect, test } from 'vitest'
import { guideOf } from './guides.js'

/** Where Node has a database of its own (22.13 and newer), the statements of the page are run in it. */
interface Database {
  exec(sql: string): void
  prepare(sql: string): { all(parameters?: Record<string, number>): unknown[] }
}

const [create = '', take = ''] = guideOf('payouts.md')
  .blocks.filter(({ language }) => language === 'sql')
  .map(({ code }) => code)
const open = await database()

test.skipIf(open === undefined)('the statements of docs/payouts.md do what the page says', () => {
  if (open === undefined) return
  const db = open()
  const add = (id: string, withdrawal: string) =>
    db.exec(
      `INSERT INTO payout (id_payout, withdrawal, amount, currency, account_name, account_number)
       VALUES ('${id}', '${withdrawal}', '25.00', 'EUR', 'Jana Example', '000123-0123456789')`,
    )
  const takeAt = (now: number) => db.prepare(take).all({ $1: now })
  db.exec(create)
  add('w-1', 'order-1')
  expect(() => add('w-2', 'order-1')).toThrow(/UNIQUE/)
  expect(() => add('w-1', 'order-2')).toThrow(/UNIQUE/)
  expect(takeAt(1000)).toMatchObject([{ id_payout: 'w-1', amount: '25.00', tries: 1, state: 'open' }])
  expect(takeAt(1000)).toEqual([])
  expect(takeAt(301_000)).toMatchObject([{ id_payout: 'w-1', tries: 2 }])
  db.exec("UPDATE payout SET state = 'sent'")
  expect(takeAt(1_000_000)).toEqual([])
})

test('docs/payouts.md has two statements', () => {
  expect(create).toMatch(/^CREATE TABLE payout/)
  expect(take).toMatch(/^UPDATE payout[\s\S]*RETURNING \*;$/)
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
