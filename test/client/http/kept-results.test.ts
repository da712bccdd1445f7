import { expect, it } from 'vitest'
import { responseOf } from '../../../src/index.js'
import { clientOf } from '../../faults/support.js'
import { collectGarbage } from '../../support/garbage.js'
import { bearer } from '../../support/gateway.js'

/** A payin, and what only the client that fetched it knows. */
async function fetched() {
  const signer = { sign: () => Promise.resolve(new Uint8Array([1])) }
  const fetch: typeof globalThis.fetch = async (input) =>
    Response.json(String(input).includes('/auth-tokens') ? { token: bearer } : {})
  await using client = clientOf('https://gateway.example', 'fetch', { fetch, signer })
  return { payin: await client.payins.retrieve('order-1'), signer: new WeakRef(signer) }
}

it('a result that is kept keeps nothing of the client that it came from', async () => {
  const { payin, signer } = await fetched()
  await collectGarbage(10, () => signer.deref() === undefined)
  expect(signer.deref()).toBeUndefined()
  expect(responseOf(payin)).toMatchObject({ status: 200 })
})
