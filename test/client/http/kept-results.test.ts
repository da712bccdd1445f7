import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import '../../../src/client/http/transport/fetch-transport.js'
import { responseOf } from '../../../src/index.js'
import { clientOf } from '../../faults/support.js'
import { bearer } from '../../support/gateway.js'

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

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
  for (let turn = 0; turn < 10 && signer.deref() !== undefined; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    gc()
  }
  expect(signer.deref()).toBeUndefined()
  expect(responseOf(payin)).toMatchObject({ status: 200 })
})
