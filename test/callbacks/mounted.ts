import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliverByFetch } from '../../packages/sandbox/src/gateway/callbacks/delivery.js'
import type { CallbackForm, CallbackRequest } from '../../packages/sandbox/src/index.js'
import type { CallbackReceiver } from '../../src/callbacks/index.js'
import type { Mount, Mounted } from './servers.js'
import { createPayin, lookUpsAt, shop } from './support.js'

const megabyte = 1024 * 1024

/** What a gateway may send, since the specification doesn't show what this one does. */
const forms: Readonly<Record<string, CallbackForm>> = {
  'an empty object': { body: '{ }' },
  'no body': { body: '', contentType: '' },
  'no body, called JSON': { body: '' },
  'an unfamiliar event': { body: '{"event":"payin.reviewed","version":7,"data":{"status":"SUCCESS"}}' },
  text: { body: '"changed"', contentType: 'text/plain; charset=utf-8' },
  'a form': { body: '0', contentType: 'application/x-www-form-urlencoded' },
  'a content type that is none': { body: '{}', contentType: 'nonsense;;' },
  '1 MB': { body: `"${'x'.repeat(megabyte)}"` },
  chunked: { body: '{"event":"payin.changed"}', chunks: 5 },
  'chunked and slow': { body: '{"event":"payin.changed"}', chunks: 3, chunkGapMs: 5 },
  GET: { method: 'GET' },
  HEAD: { method: 'HEAD' },
  PUT: { method: 'PUT' },
  DELETE: { method: 'DELETE', body: '{}' },
  'a method of its own': { method: 'NOTIFY', body: '{}' },
}

/** What a parser in front would answer by itself: only without one do these reach the receiver. */
const unparsable: Readonly<Record<string, CallbackForm>> = {
  'JSON that is none': { body: 'payin changed' },
  bytes: { body: '\u0000\u0001', contentType: 'application/octet-stream' },
}

/** Holds for every way to mount a receiver, with and without a body parser in front of it. */
export function testMounted(mount: Mount, { parserComesFirst = false } = {}): void {
  describe.each([
    ['without a body parser in front', false],
    ['with a body parser in front', true],
  ] as const)('%s', (_title, hasParser) => {
    let server: Mounted
    let receiver: CallbackReceiver
    let settled = 0
    const merchant = shop({
      receiver: { publicUrl: 'http://127.0.0.1:1/gateway/callbacks' },
      sandbox: { deliver: (callback) => deliverTo(server.origin, callback) },
    })
    beforeAll(async () => {
      receiver = merchant.receiver
      server = await mount(receiver, hasParser)
      await createPayin(merchant, 'order-1')
    })
    afterAll(async () => {
      await server.close()
      await merchant.close()
    })

    // A parser that comes first responses by itself what it can't read.
    const reachable = !hasParser || !parserComesFirst
    const all = Object.entries({ ...forms, ...(reachable ? unparsable : {}) })

    test.each(all)('%s is answered 204, and the function gets the payment', async (_form, form) => {
      const { sandbox, delivered } = merchant
      const payin = sandbox.payins.get('order-1')
      const status = `STATUS_${settled++}`
      payin.setStatus(status)
      await sandbox.idle()
      sandbox.clearLogs()
      delivered.length = 0
      payin.sendCallback(form)
      await sandbox.idle()
      expect(sandbox.callbacks.map(({ response, error }) => response ?? error)).toEqual([204])
      expect(delivered).toEqual([{ id: 'order-1', status, isNew: false }])
    })

    test('a query that the gateway adds changes nothing', async () => {
      const { pathname } = new URL(receiver.urlFor({ idPayin: 'order-1' }))
      const response = await fetch(`${server.origin}${pathname}?event=changed&path=/a/b&x=%zz#there`)
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.get('cache-control')).toBe('no-store')
    })

    test('what is not signed is answered 404, empty, without a lookup', async () => {
      merchant.sandbox.clearLogs()
      const { pathname } = new URL(receiver.urlFor({ idPayin: 'order-1' }))
      for (const path of [
        '/gateway/callbacks/',
        '/gateway/callbacks/order-1',
        `${pathname}x`,
        `${pathname}//`,
        pathname.replace('/2.', '/1.'),
        pathname.replace('.payin.', '.payout.'),
        '/gateway/callbacks/%20',
        `/gateway/callbacks/${'x'.repeat(8000)}`,
      ]) {
        const response = await fetch(server.origin + path, { method: 'POST', body: '{}' })
        expect([response.status, await response.text()], path).toEqual([404, ''])
      }
      expect(lookUpsAt(merchant.sandbox)).toBe(0)
    })
  })
}

/** By the sandbox's own way, but to where the receiver listens by now. */
async function deliverTo(origin: string, callback: CallbackRequest): Promise<{ status: number }> {
  return deliverByFetch({ ...callback, url: callback.url.replace('http://127.0.0.1:1', origin) })
}
