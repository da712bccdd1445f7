import { expect, test } from 'vitest'
import { bearer, create, mint, ORIGIN, paymentBody, privatePem } from '../../support.js'
import { type PageOf, pageOf } from './page.js'

const mac = `${'canary'.repeat(7)}c`
const callbackUrl = `https://me:canary@shop.example/hooks/2.k3yIdent.payin.b3JkZXItMQ.${mac}?sig=canary`

/** A sandbox whose callbacks fail with an error that quotes the URL, as some do. */
async function withPayin(): Promise<PageOf> {
  const page = await pageOf({
    merchantCode: 'M-0001',
    privateKey: privatePem,
    callbackTries: 1,
    deliver: ({ url }) => Promise.reject(new Error(`connect ECONNREFUSED at ${url}`)),
  })
  const token = await mint(page.sandbox, { operations: ['GET /.*', 'POST /.*'] })
  const body = JSON.stringify({ ...JSON.parse(paymentBody()), callbackUrl, returnUrl: callbackUrl })
  await page.sandbox.fetch(`${ORIGIN}/payins/order-1?api_key=canary`, { ...create(token), body })
  await page.sandbox.fetch(`${ORIGIN}/payins/order-1?password=canary`, {
    headers: { ...bearer(token), referer: callbackUrl, 'x-api-key': 'canary' },
  })
  page.sandbox.payins.get('order-1').pay()
  await page.sandbox.idle()
  return page
}

test.each([
  'payments?limit=9',
  'payments/payin/order-1',
  'requests?limit=9',
  'requests/1',
  'requests/2',
  'requests/3',
  'state',
  'info',
])('the page never shows a signature, a secret or a password: %s', async (path) => {
  await using page = await withPayin()
  page.sandbox.fault({
    route: 'GET /payins/{idPayin}',
    action: { kind: 'status', status: 500, body: { callbackUrl, password: 'canary' } },
  })
  const { status, json } = await page.ask('GET', path)
  expect(status).toBe(200)
  expect(JSON.stringify(json)).not.toContain('canary')
})

test('nobody finds out by searching what is masked', async () => {
  await using page = await withPayin()
  expect((await page.ask('GET', 'requests?limit=9&search=canary')).json).toMatchObject({ rows: [] })
  const found = await page.ask('GET', 'requests?limit=9&search=k3yident')
  expect(Object(found.json).rows).not.toEqual([])
})

test('a path that is sent again is the one that arrived', async () => {
  await using page = await withPayin()
  expect((await page.ask('POST', 'requests/3/resend', {})).status).toBe(200)
  expect(page.sandbox.requests.at(-1)?.path).toBe('/payins/order-1?password=canary')
})
