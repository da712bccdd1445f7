import { expect, it } from 'vitest'
import { responseOf } from '../../../src/index.js'
import { clientOf } from '../../faults/support.js'
import { collectGarbage } from '../../support/garbage.js'
import { bearer } from '../../support/gateway.js'

/** A payin of a second attempt, and what only the client that fetched it knows. */
async function fetched() {
  const signer = { sign: () => Promise.resolve(new Uint8Array([1])) }
  const failed: WeakRef<Response>[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    if (String(input).includes('/auth-tokens')) return Response.json({ token: bearer })
    if (failed.length > 0) return Response.json({})
    const response = Response.json({}, { status: 503, headers: { 'retry-after': '0' } })
    failed.push(new WeakRef(response))
    return response
  }
  await using client = clientOf('https://gateway.example', 'fetch', { fetch, signer })
  const payin = await client.payins.retrieve('order-1')
  return { payin, weak: { signer: new WeakRef(signer), failed: failed[0], payin: new WeakRef(payin) } }
}

it('a result that is kept keeps nothing of its client, nor of an attempt that failed', async () => {
  const { payin, weak } = await fetched()
  await collectGarbage(10, () => weak.signer.deref() === undefined && weak.failed?.deref() === undefined)
  expect([weak.signer.deref(), weak.failed?.deref()]).toEqual([undefined, undefined])
  expect(responseOf(payin)).toMatchObject({ status: 200, attempts: 2 })
})

it('a result that nobody keeps is not kept by its response either', async () => {
  const payin = await (async () => (await fetched()).weak.payin)()
  await collectGarbage(20, () => payin.deref() === undefined)
  expect(payin.deref()).toBeUndefined()
})
