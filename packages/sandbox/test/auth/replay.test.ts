import { describe, expect, test } from 'vitest'
import { codeOf, ORIGIN, SIGNED_AT, stillSandbox, tokenRequest } from '../support.js'

const fields = { operations: ['GET /balances'], validitySecs: 900 }
const url = `${ORIGIN}/auth-tokens`

describe('the option replay', () => {
  test('refuses a signature that was seen, and takes one over other bytes', async () => {
    const sandbox = stillSandbox({ replay: 'refuse' })
    const request = tokenRequest(sandbox, fields)
    expect((await sandbox.fetch(url, request)).status).toBe(200)
    const again = await sandbox.fetch(url, request)
    expect([again.status, await codeOf(again)]).toEqual([401, 'SIGNATURE_SEEN'])
    const other = tokenRequest(sandbox, { ...fields, validitySecs: 899 })
    expect((await sandbox.fetch(url, other)).status).toBe(200)
  })

  test('remembers nothing of a request that was refused for another reason', async () => {
    const sandbox = stillSandbox({ replay: 'refuse' })
    const early = tokenRequest(stillSandbox({ startAt: SIGNED_AT + 400_000 }), fields)
    const refused = await sandbox.fetch(url, early)
    expect([refused.status, await codeOf(refused)]).toEqual([401, 'TIMESTAMP_OUT_OF_RANGE'])
    await sandbox.clock.advance(400_000)
    expect((await sandbox.fetch(url, early)).status).toBe(200)
  })

  test('is off by default: the specification says nothing of it', async () => {
    const sandbox = stillSandbox()
    const request = tokenRequest(sandbox, fields)
    for (let n = 0; n < 2; n++) expect((await sandbox.fetch(url, request)).status).toBe(200)
  })
})
