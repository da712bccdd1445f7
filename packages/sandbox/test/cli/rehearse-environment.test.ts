import { expect, test } from 'vitest'
import { environmentOf } from '../../src/cli/rehearse/sandbox.js'

const served = { baseUrl: 'http://127.0.0.1:1/api', merchantCode: 'M-1', timestampUnit: 'seconds' } as const
const shell = {
  PATH: '/bin',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_MERCHANT_CODE: 'OTHER',
  GATEWAY_PRIVATE_KEY: 'other key',
  GATEWAY_PRIVATE_KEY_PASSPHRASE: 'other words',
  GATEWAY_MERCHANT_SECRET: 'other secret',
  GATEWAY_TIMESTAMP_UNIT: 'milliseconds',
  GATEWAY_LIVE: 'true',
}

test('a rehearsed application sees this sandbox, and nothing of the gateway that the shell names', () => {
  expect(environmentOf({ ...served, privateKeyFile: '/tmp/key.pem' }, shell)).toEqual({
    PATH: '/bin',
    GATEWAY_BASE_URL: served.baseUrl,
    GATEWAY_MERCHANT_CODE: 'M-1',
    GATEWAY_TIMESTAMP_UNIT: 'seconds',
    GATEWAY_LIVE: 'false',
    GATEWAY_PRIVATE_KEY_FILE: '/tmp/key.pem',
  })
})

test('signs with the key that the shell names where the sandbox knows that one', () => {
  expect(environmentOf(served, shell)).toEqual({
    ...shell,
    GATEWAY_BASE_URL: served.baseUrl,
    GATEWAY_MERCHANT_CODE: 'M-1',
    GATEWAY_TIMESTAMP_UNIT: 'seconds',
    GATEWAY_LIVE: 'false',
  })
})
