import { expect, it } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { money } from '../../../src/index.js'
import { clientOf } from '../../faults/support.js'

/** The library's own functions that a create is in at the moment of `fetch`. */
async function framesOfCreate(): Promise<string[]> {
  await using sandbox = createSandbox()
  const { fetch, baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
  if (fetch === undefined) throw new Error('a sandbox in process has a fetch')
  const { stackTraceLimit } = Error
  let stack = ''
  await using client = clientOf(baseUrl, 'fetch', {
    merchantCode,
    privateKey,
    fetch: (input, init) => {
      if (String(input).includes('/payins/')) stack = new Error('here').stack ?? ''
      return fetch(input, init)
    },
  })
  const request = {
    paymentRequested: { money: money('1', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  }
  Error.stackTraceLimit = 200
  try {
    // The second one, when everything is loaded and the token is there.
    for (let n = 0; n < 2; n++) await client.payins.create(request)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  return stack.split('\n').filter((line) => line.includes('/src/'))
}

it('a create is in nine functions of ours at the moment of fetch, and no more', async () => {
  const frames = await framesOfCreate()
  expect(frames.some((frame) => frame.includes('attempt'))).toBe(true)
  expect(frames.length).toBeLessThanOrEqual(9)
})
