import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CallbackReceiverOptions } from '../../src/callbacks/index.js'
import { FakeClient, otherSecret, publicUrl, receiverOver, secret, succeeded } from './support.js'

const client = new FakeClient(() => succeeded)
const { receiver } = receiverOver(client)
const signed = segment(receiver.urlFor({ idPayin: 'order-1' }))
const [version = '', key = '', kind = '', id = '', mac = ''] = signed.split('.')
const encoded = (text: string) => Buffer.from(text).toString('base64url')

async function expectRefused(path: string): Promise<void> {
  const asked = client.lookups.length
  const { refused, pending } = receiver.counts
  expect(await receiver.receive(path), path).toEqual({ status: 404, headers: {} })
  expect(client.lookups, path).toHaveLength(asked)
  expect(receiver.counts).toMatchObject({ refused: refused + 1, pending })
}

test('the URL carries version, key, kind, id and MAC, and is short enough for every gateway', async () => {
  expect(signed).toMatch(/^2\.[\w-]{8}\.payin\.[\w-]+\.[\w-]{43}$/)
  expect(Buffer.from(id, 'base64url').toString()).toBe('order-1')
  expect(receiver.urlFor({ idPayout: 'x'.repeat(64) }).length).toBeLessThan(255)
  expect(signed).not.toContain(secret.slice(0, 8))
  expect(await receiver.receive(`/gateway/callbacks/${signed}`)).toMatchObject({ status: 204 })
})

test.each([
  ['a slash behind it, as frameworks append it', `/gateway/callbacks/${signed}/`],
  ['a slash and a query', `/gateway/callbacks/${signed}/?a=/`],
  ['a slash and a fragment', `/gateway/callbacks/${signed}/#a/`],
  ['a query that holds slashes', `/gateway/callbacks/${signed}?a=/b/c`],
  ['the absolute form', `http://shop.example/gateway/callbacks/${signed}`],
  ['another path, as a proxy cuts it', `/cut/by/a/proxy/${signed}`],
  ['two slashes before it', `//${signed}`],
])('a target with %s is understood', async (_title, target) => {
  expect(await receiver.receive(target)).toMatchObject({ status: 204 })
})

test.each(['o', '…', '注文-1', '😀', 'a b?c#d%2e', 'x'.repeat(2000), '.', '__proto__'])(
  'the id %j comes back as it went in',
  async (idPayin) => {
    const before = client.lookups.length
    await receiver.receive(new URL(receiver.urlFor({ idPayin })).pathname)
    expect(client.lookups.slice(before).map((one) => one.id)).toEqual([idPayin])
  },
)

const table: Readonly<Record<string, string>> = {
  nothing: '',
  'the id alone': 'order-1',
  'another kind': [version, key, 'payout', id, mac].join('.'),
  'a kind that is none': [version, key, 'payment', id, mac].join('.'),
  'another id': [version, key, kind, encoded('order-2'), mac].join('.'),
  'no id': [version, key, kind, '', mac].join('.'),
  'another key id': [version, 'AAAAAAAA', kind, id, mac].join('.'),
  'the version before': ['1', key, kind, id, mac].join('.'),
  'another version': ['3', key, kind, id, mac].join('.'),
  'no version': [key, kind, id, mac].join('.'),
  'a MAC without its end': signed.slice(0, -1),
  'no MAC': [version, key, kind, id, ''].join('.'),
  'a padded MAC': `${signed}=`,
  'a longer MAC': `${signed}A`,
  'a MAC of zeros': [version, key, kind, id, 'A'.repeat(43)].join('.'),
  'a MAC of the last letter that decodes to the same bytes': signed.slice(0, -1) + twin(signed.at(-1)),
  'a padded id': [version, key, kind, `${id}==`, mac].join('.'),
  'a MAC in hexadecimal': [version, key, kind, id, Buffer.from(mac, 'base64url').toString('hex')].join('.'),
  'a bare HMAC of the id': [version, key, kind, id, hmac(id)].join('.'),
  'a bare HMAC of kind and id': [version, key, kind, id, hmac(`${kind}.${id}`)].join('.'),
  'upper case': signed.toUpperCase(),
  'lower case': signed.toLowerCase(),
  escapes: encodeURIComponent(signed).replace('.', '%2E'),
  'double escapes': encodeURIComponent(encodeURIComponent(`${signed}/`)),
  'an escaped letter': signed.replace('.payin.', '.payi%6e.'),
  'a garbled escape behind it': `${signed}%zz`,
  'an asterisk': '*',
  'two slashes behind it': `${signed}//`,
  'dots behind it': `${signed}/..`,
  'a dot behind it': `${signed}/.`,
  'an escaped slash behind it': `${signed}%2F`,
  'a backslash before it': `callbacks\\${signed}`,
  'a semicolon behind it': `${signed};jsessionid=1`,
  'a zero behind it': `${signed}\u0000`,
  'a line break behind it': `${signed}\n`,
  'it twice': signed + signed,
  'it in the query only': `?${signed}`,
  'it in the query behind a slash': `x?a=/${signed}`,
  'it in the fragment': `x#/${signed}`,
}

test.each(Object.entries(table))(
  '%s in place of a signed segment is answered 404',
  async (_title, forged) => {
    await expectRefused(`/gateway/callbacks/${forged}`)
  },
)

test('every bit of the segment counts', async () => {
  const bytes = Buffer.from(signed, 'latin1')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    // A slash, a question mark or a hash ends the segment, and what is left is too short.
    await expectRefused(`/${flipped.toString('latin1')}`)
  }
})

test('a bad MAC is answered the same whether or not the payment exists, and asks nobody', async () => {
  const known = [version, key, kind, id, 'A'.repeat(43)].join('.')
  const unknown = [version, key, kind, encoded('order-9'), 'A'.repeat(43)].join('.')
  const answers = await Promise.all([known, unknown].map((forged) => receiver.receive(`/${forged}`)))
  expect(answers[0]).toEqual(answers[1])
})

describe('a URL is bound to its place', () => {
  const over = (options: Partial<CallbackReceiverOptions>) =>
    receiverOver(new FakeClient(() => succeeded), options).receiver
  const staging = { publicUrl: 'https://staging.example/gateway/callbacks' }
  /** What a receiver answers that gets the URL of another one at its own address. */
  const statusAt = async (from: Partial<CallbackReceiverOptions>, at: Partial<CallbackReceiverOptions>) => {
    const last = over(from).urlFor({ idPayin: 'order-1' }).split('/').at(-1)
    return (await over(at).receive(`/gateway/callbacks/${last}`)).status
  }

  test.each<readonly [string, number, Partial<CallbackReceiverOptions>, Partial<CallbackReceiverOptions>]>([
    ['its own address', 204, {}, {}],
    ['its address, written in another way', 204, {}, { publicUrl: `${publicUrl.replace('shop', 'SHOP')}//` }],
    ['another host', 404, staging, {}],
    ['another path', 404, { publicUrl: 'https://shop.example/other' }, {}],
    ['another port', 404, { publicUrl: publicUrl.replace('example', 'example:8443') }, {}],
    [
      'an address that was left',
      204,
      staging,
      { previousPublicUrls: ['https://other.example', staging.publicUrl] },
    ],
    ['its environment at another address', 204, { ...staging, environment: 'live' }, { environment: 'live' }],
    ['another environment at the same address', 404, { environment: 'test' }, { environment: 'live' }],
    ['an environment where none is named', 404, { environment: 'live' }, {}],
    ['its address, before it had the name of an environment', 204, {}, { environment: 'live' }],
    ['an environment that is called like an address', 404, { environment: 'shop.example' }, {}],
  ])('one of %s is answered %i', async (_what, status, from, at) => {
    expect(await statusAt(from, at)).toBe(status)
  })

  test('and one of version 0.1.0, which was bound to nothing, is answered 404', async () => {
    const keyId = createHmac('sha256', secret).update('merchant-gateway callback key id').digest('base64url')
    const payload = `1.${keyId.slice(0, 8)}.payin.${encoded('order-1')}`
    const path = `/gateway/callbacks/${payload}.${hmac(`merchant-gateway callback ${payload}`)}`
    expect(await over({ secrets: [secret] }).receive(path)).toMatchObject({ status: 404 })
  })
})

describe('keys', () => {
  const signedBy = (secrets: string[]) =>
    receiverOver(new FakeClient(), { secrets }).receiver.urlFor({ idPayin: 'order-1' })
  const statusFor = async (url: string, secrets: string[]) =>
    (await receiverOver(new FakeClient(() => succeeded), { secrets }).receiver.receive(url)).status

  test('the first signs and all verify, so that they can rotate', async () => {
    expect(signedBy([otherSecret, secret])).toBe(signedBy([otherSecret]))
    expect(await statusFor(signedBy([secret]), [otherSecret, secret])).toBe(204)
    expect(await statusFor(signedBy([otherSecret]), [otherSecret, secret])).toBe(204)
  })

  test('one that was removed verifies no more', async () => {
    expect(await statusFor(signedBy([secret]), [otherSecret])).toBe(404)
  })

  test('the same one twice does no harm', async () => {
    expect(await statusFor(signedBy([secret]), [secret, secret])).toBe(204)
  })

  test('one that signs under the name of another is not taken', async () => {
    const foreign = segment(signedBy([otherSecret])).split('.')
    const renamed = [version, key, ...foreign.slice(2)].join('.')
    expect(await statusFor(`${publicUrl}/${renamed}`, [secret, otherSecret])).toBe(404)
  })
})

function segment(url: string): string {
  return url.slice(`${publicUrl}/`.length)
}

function hmac(text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

/** 43 letters hold 258 bits, of which a MAC has 256: the last letter has others that decode alike. */
function twin(letter = ''): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return letters[letters.indexOf(letter) ^ 1] ?? ''
}
