import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CallbackReceiver, type CallbackReceiverOptions } from '../../src/callbacks/index.js'
import { FakeClient, otherSecret, publicUrl, receiverOver, secret, succeeded } from './support.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

const given = { client: new FakeClient(), publicUrl, secrets: [secret], onPayin: () => undefined }
const made = (options: object) =>
  new CallbackReceiver(Object.assign<object, object>({ ...given }, options) as CallbackReceiverOptions)

describe('an option that is wrong is refused by name', () => {
  test.each([
    ['publicUrl', { publicUrl: 'https://shop.example/#a' }],
    ['secrets', { secrets: [secret, 'short'] }],
    ['secrets', { secrets: [new Uint8Array(31)] }],
    ['secrets', { secrets: [new Uint8Array(32)] }],
    ['secrets', { secrets: [secret, 'abcdefg'.repeat(5)] }],
    ['environment', { environment: '' }],
    ['onPayin', { onPayin: undefined }],
  ])('%s: %j', (option, wrong) => {
    expect(() => made(wrong)).toThrow(expect.objectContaining({ code: 'configuration', option }))
  })

  test('a receiver without a function, which would answer callbacks and tell nobody', () => {
    expect(() => made({ onPayin: undefined })).toThrow(
      'onPayin is missing, and so are onPayout and wake: each callback would be answered, and nobody told of it',
    )
    for (const one of ['onPayout', 'wake']) {
      expect(made({ onPayin: undefined, [one]: () => true })).toBeInstanceOf(CallbackReceiver)
    }
  })

  test('and no options at all', () => {
    expect(() => Reflect.construct(CallbackReceiver, [])).toThrow(/needs an object of options/)
  })

  test('without a word of the secret', () => {
    const short = 'hunter2-hunter2'
    expect(() => made({ secrets: [short] })).toThrow(expect.not.objectContaining({ message: short }))
  })
})

describe('secrets', () => {
  test('come from GATEWAY_CALLBACK_SECRET, with commas between them', () => {
    vi.stubEnv('GATEWAY_CALLBACK_SECRET', `${secret}, ${otherSecret}`)
    const url = made({ secrets: undefined }).urlFor({ idPayin: 'a' })
    expect(url).toBe(made({ secrets: [secret] }).urlFor({ idPayin: 'a' }))
  })

  test.each([
    ['"', '"', 'has quotes around its value; take them off'],
    ['\u201c', '\u201d', 'has quotes around its value; take them off'],
    ['\u200b', '', 'holds a control character or a line break'],
    ['', '\u0001', 'holds a control character or a line break'],
  ])('are refused by name with what a platform left in the variable: %j %j', (before, after, why) => {
    vi.stubEnv('GATEWAY_CALLBACK_SECRET', `${otherSecret},${before}${secret}${after}`)
    expect(() => made({ secrets: undefined })).toThrow(
      `secrets (GATEWAY_CALLBACK_SECRET) must be as they were made, and one ${why}.`,
    )
  })

  test('may be bytes, and those are copied', () => {
    const bytes = new TextEncoder().encode(secret)
    const receiver = made({ secrets: [bytes] })
    bytes.fill(0)
    expect(receiver.urlFor({ idPayin: 'a' })).toBe(made({}).urlFor({ idPayin: 'a' }))
  })

  test('are in nothing that is printed', () => {
    const { receiver } = receiverOver(new FakeClient())
    for (const text of [
      inspect(receiver, { depth: 9, showHidden: true }),
      JSON.stringify(receiver),
      `${receiver}`,
    ]) {
      expect(text).not.toContain(secret.slice(0, 10))
    }
    expect(JSON.parse(JSON.stringify(receiver))).toEqual({ publicUrl, counts: receiver.counts })
  })
})

test.each([
  ['https://shop.example', 'https://shop.example/2.'],
  ['https://shop.example/', 'https://shop.example/2.'],
  ['https://shop.example/a/b//', 'https://shop.example/a/b/2.'],
  ['http://localhost:3000/cb', 'http://localhost:3000/cb/2.'],
  ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000/cb/2.'],
])('below %s the URLs begin with %s', (url, start) => {
  expect(made({ publicUrl: url }).urlFor({ idPayin: 'a' }).startsWith(start)).toBe(true)
})

test('plain http elsewhere needs to be allowed', () => {
  const receiver = made({ publicUrl: 'http://shop.internal/cb', allowInsecureHttp: true })
  expect(receiver.urlFor({ idPayin: 'a' })).toMatch(/^http:\/\/shop\.internal\/cb\/2\./)
})

test.each([
  {},
  { idPayin: '' },
  { idPayin: 1 },
  { idPayin: 'a', idPayout: 'b' },
  { idPayin: 'a\ud800' },
  null,
])('urlFor refuses %j, which names no payment', (ref) => {
  const receiver = made({})
  expect(() => Reflect.apply(receiver.urlFor, receiver, [ref])).toThrow(
    expect.objectContaining({ code: 'invalid_input' }),
  )
})

test('urlFor says of a text that it names no payment by itself', () => {
  const receiver = made({})
  expect(() => Reflect.apply(receiver.urlFor, receiver, ['order-1'])).toThrow(
    'a text alone is the id of a payin or of a payout: name the payment by { idPayin } or by { idPayout }; nothing was sent.',
  )
})

test('without onError a failure is a process warning that names no customer', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const { call } = receiverOver(new FakeClient(() => succeeded), {
    onError: undefined,
    onPayin: () => {
      throw new RangeError('Jana Example is not known')
    },
  })
  expect(await call()).toBe(500)
  expect(warn).toHaveBeenCalledOnce()
  expect(warn.mock.calls[0]?.[0]).toMatch(/^the callback for payin order-1 failed \(function: RangeError\)/)
})

test('without onError a kind without a function is a process warning that says what to do', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const { call } = receiverOver(new FakeClient(), { onError: undefined, onPayin: undefined })
  expect(await call()).toBe(501)
  expect(warn.mock.calls[0]?.[0]).toMatch(
    /^the callback for payin order-1 failed \(function: .*the receiver has no onPayin; give it one/,
  )
})
