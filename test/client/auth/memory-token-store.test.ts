import { describe, expect, test } from 'vitest'
import { memoryTokenStore } from '../../../src/index.js'
import { keepsTheContract } from '../../support/token-store-contract.js'

describe('memoryTokenStore', () => {
  keepsTheContract(memoryTokenStore)

  test('keeps ten thousand keys and forgets the oldest', async () => {
    const store = memoryTokenStore()
    const asked = { unless: undefined, forMs: 60_000 }
    for (let n = 0; n <= 10_000; n++) await store.claim(`key ${n}`, asked)
    expect(await store.claim('key 1', asked)).toMatchObject({ state: 'busy' })
    expect(await store.claim('key 0', asked)).toMatchObject({ state: 'claimed' })
  })
})
