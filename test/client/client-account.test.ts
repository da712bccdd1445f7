import { describe, expect, it } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import { privatePem } from '../support/vectors.js'

const accountOf = (baseUrl: string, merchantCode: string, more: object = {}) =>
  new GatewayClient({ baseUrl, merchantCode, privateKey: privatePem, ...more }).account

describe('client.account', () => {
  it('is the same for every client of a merchant at a base address', () => {
    const account = accountOf('https://gateway.example/api', 'M-0001')
    expect(account).toMatch(/^[\w-]{22}$/)
    expect(accountOf('https://gateway.example/api/', 'M-0001', { timeoutMs: 1000 })).toBe(account)
  })

  it('differs between merchants, and between gateways', () => {
    const accounts = [
      accountOf('https://gateway.example', 'M-0001'),
      accountOf('https://gateway.example', 'M-0002'),
      accountOf('https://staging.gateway.example', 'M-0001'),
      accountOf('https://gateway.example/staging', 'M-0001'),
    ]
    expect(new Set(accounts).size).toBe(4)
  })
})
