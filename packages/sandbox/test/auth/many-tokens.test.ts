import { expect, test } from 'vitest'
import { BODY_HEADERS, bearer, ORIGIN, stillSandbox } from '../support.js'

test('access tokens are known for as long as they are used, and among thousands that are not', async () => {
  // By the secret, since thousands of signatures take seconds.
  const sandbox = stillSandbox({ merchantSecret: 'open sesame', maxLogged: 0 })
  const scope = { merchantCode: 'M-0001', operations: ['GET /balances'], secret: 'open sesame' }
  const request = { method: 'POST', headers: BODY_HEADERS, body: JSON.stringify(scope) }
  const minted = async () => {
    const json: unknown = await (await sandbox.fetch(`${ORIGIN}/auth-tokens`, request)).json()
    return String(Object(json).token)
  }
  const others = async () => {
    for (let made = 0; made < 5000; made += 100) await Promise.all(Array.from({ length: 100 }, minted))
  }
  const status = async (token: string) =>
    (await sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer(token) })).status
  const [used, unused] = [await minted(), await minted()]
  await others()
  expect(await status(used)).toBe(200)
  await others()
  expect([await status(used), await status(unused)]).toEqual([200, 401])
})
