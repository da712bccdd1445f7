import { describe, expect, test } from 'vitest'
import { type CallerHeaders, isTrustedCaller } from '../../../src/page/api/http/trusted-caller.js'

const own = { host: '127.0.0.1:4010' }

describe('a caller is trusted', () => {
  test.each<[string, CallerHeaders]>([
    ['that is a program on this machine', own],
    ['that says localhost', { host: 'localhost:4010' }],
    ['that says localhost loudly', { host: 'LocalHost:4010', origin: 'http://localhost:4010' }],
    ['below localhost', { host: 'shop.localhost:4010' }],
    ['at another loopback address', { host: '127.8.9.10:4010' }],
    ['at the loopback address of IPv6', { host: '[::1]:4010', origin: 'http://[::1]:4010' }],
    ['that is our own page', { ...own, origin: 'http://127.0.0.1:4010', 'sec-fetch-site': 'same-origin' }],
    ['that typed the address', { ...own, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['that followed a link of a shop on this machine', link('same-site', 'navigate')],
  ])('%s', (_who, headers) => expect(isTrustedCaller(headers, 4010)).toBe(true))

  test('at port 80 without naming it', () => expect(isTrustedCaller({ host: 'localhost' }, 80)).toBe(true))

  test.each([
    ['10.0.0.7:4010', '10.0.0.7'],
    ['desk.lan:4010', 'Desk.lan'],
    ['10.0.0.7:4010', '0.0.0.0'],
    ['[fe80::1]:4010', '::'],
  ])('as %s where the sandbox listens on %s', (called, host) => {
    expect(isTrustedCaller({ host: called }, 4010, host)).toBe(true)
  })
})

describe('a caller is not trusted', () => {
  test.each<[string, CallerHeaders]>([
    ['without Host', {}],
    ['whose name was rebound to this machine', { host: 'evil.example:4010' }],
    ['whose name only begins like ours', { host: 'localhost.evil.example:4010' }],
    ['whose name only begins like a loopback address', { host: '127.0.0.1.evil.example:4010' }],
    ['at an address that is not loopback', { host: '10.0.0.7:4010' }],
    ['with another port', { host: 'localhost:4011' }],
    ['without our port', { host: 'localhost' }],
    ['with a name and a password', { host: 'localhost@evil.example:4010' }],
    ['with two ports', { host: 'localhost:4010:4010' }],
    ['with an empty Host', { host: '' }],
    ['that is another site', { ...own, origin: 'https://evil.example' }],
    ['that is another port of this machine', { ...own, origin: 'http://127.0.0.1:3000' }],
    ['that is another name of this machine', { ...own, origin: 'http://localhost:4010' }],
    ['that is our origin by https', { ...own, origin: 'https://127.0.0.1:4010' }],
    ['that hides its origin', { ...own, origin: 'null' }],
    ['that another site sent', link('cross-site', 'navigate')],
    ['that a script tag of another port sent', link('same-site', 'no-cors')],
    ['whose header is new to us', link('same-party', 'navigate')],
    ['whose header is there twice', { ...own, 'sec-fetch-site': ['same-origin', 'same-origin'] }],
  ])('%s', (_who, headers) => expect(isTrustedCaller(headers, 4010)).toBe(false))

  test('by a name, where the sandbox listens on all addresses', () => {
    expect(isTrustedCaller({ host: 'evil.example:4010' }, 4010, '0.0.0.0')).toBe(false)
  })
})

function link(site: string, mode: string): CallerHeaders {
  return { ...own, 'sec-fetch-site': site, 'sec-fetch-mode': mode }
}
