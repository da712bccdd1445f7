import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/sandbox/test/cli/here.js'
import { databaseUrl, describeWith, ownName } from '../support/engines.js'
import { closedAddress } from '../support/listening.js'
import { runNode } from './support.js'

describeWith('postgres', 'examples/web-shop.mjs', () => {
  const schema = ownName()
  const env = { DATABASE_URL: databaseUrl, SHOP_SCHEMA: schema }
  beforeAll(async () => {
    expect(await runNode(['examples/web-shop.mjs', 'migrate'], { env })).toMatchObject({ code: 0 })
  })
  afterAll(async () => {
    const database = new Pool({ connectionString: databaseUrl, max: 1 })
    for (const name of [schema, `${schema}_queue`]) await database.query(`DROP SCHEMA ${name} CASCADE`)
    await database.end()
  })

  test.each([
    ['orders', 'answer-lost,error-after,killed,callback-first', [], '', 'paid=true'],
    ['refunds', 'answer-lost,error-after,killed', ['--payouts'], '/refund', 'refund=SUCCESS'],
  ])(
    'makes each of its %s once in a rehearsal with %s',
    async (what, cases, kind, path, paid) => {
      const url = await closedAddress()
      const order = `${url}/orders/${what}-{n}`
      const secret = `GATEWAY_CALLBACK_SECRET=${randomBytes(32).toString('hex')}`
      const settings = `PORT=${new URL(url).port} DATABASE_URL=${databaseUrl} SHOP_SCHEMA=${schema} ${secret}`
      const { code, stdout } = await run([
        'rehearse',
        ...kind,
        ...['--start', `${settings} '${process.execPath}' examples/web-shop.mjs`],
        ...(path === '' ? [] : ['--before', `POST ${order}`]),
        ...['--action', `POST ${order}${path}`, '--status', order, '--paid', paid],
        ...['--cases', cases, '--json'],
      ])
      const report: { cases: readonly { name: string; outcome: string; sentence: string }[] } =
        JSON.parse(stdout)
      const right = (name: string) => `${name} right: one payment, and the application says paid`
      expect(report.cases.map(({ name, outcome, sentence }) => `${name} ${outcome}: ${sentence}`)).toEqual(
        ['clean', ...cases.split(',')].map(right),
      )
      expect(code).toBe(0)
    },
    300_000,
  )
})
