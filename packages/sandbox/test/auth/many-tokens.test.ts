import { expect, test } from 'vitest'
import { TokenIssuer } from '../../src/gateway/auth/token-issuer.js'
import { Clock } from '../../src/gateway/clock/clock.js'
import { createRandom } from '../../src/gateway/clock/random.js'

test('access tokens are known for as long as they are used, and among too many that are not', async () => {
  const tokens = new TokenIssuer(new Clock('virtual', 0), createRandom(1), 10)
  const minted = () => tokens.mint('M-0001', 900, { operations: ['GET /balances'] })
  const [used, unused] = [await minted(), await minted()]
  for (let other = 0; other < 10; other++) {
    expect(tokens.verify(`Bearer ${used}`).isRevoked).toBe(false)
    await minted()
  }
  expect(tokens.verify(`Bearer ${used}`)).toBe(tokens.find(used))
  expect(() => tokens.verify(`Bearer ${unused}`)).toThrow('none that this sandbox knows')
})
