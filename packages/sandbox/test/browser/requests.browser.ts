import { generateKeyPairSync } from 'node:crypto'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GatewayClient } from '../../../../src/index.js'
import { chromiumPath, launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { overflow, violations, type Watched, watched } from './watched.js'

const gatewayHeaders = {
  accept: 'application/json',
  'content-type': 'application/json',
  'x-api-version': '2',
}
const { privateKey: wrongKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

describe.skipIf(chromiumPath === undefined)('the requests on the sandbox page', () => {
  let browser: Browser
  let gateway: Gateway
  let tab: Watched

  beforeAll(async () => {
    browser = await launch()
  })
  beforeEach(async () => {
    gateway = await openGateway({ callbackTries: 1 })
    tab = await watched(browser)
  })
  afterEach(async () => {
    await tab.done()
    await gateway.close()
  })
  afterAll(() => browser.close())

  /** A client whose key the gateway doesn't know; it asks twice. */
  async function wrongKeyFirst(): Promise<void> {
    const options = { ...gateway.sandbox.clientOptions(), privateKey: wrongKey, retries: 0 }
    const stranger = new GatewayClient(options)
    await expect(stranger.payins.retrieve('order-1')).rejects.toMatchObject({ status: 401 })
    await stranger.close()
  }

  /** One of everything: accepted, refused (a first 404 is repeated with a new token), failed, lost, and a failed callback. */
  async function busy(): Promise<void> {
    const { sandbox, client } = gateway
    gateway.merchant.status = 500
    await wrongKeyFirst()
    await gateway.payin('order-1', '4001.00')
    await gateway.payout('refund-1', '12.50')
    await expect(client.payins.retrieve('nobody')).rejects.toMatchObject({ status: 404 })
    sandbox.fault({ route: 'GET /payins/{idPayin}', action: { kind: 'status', status: 503 } })
    await expect(client.payins.retrieve('order-1')).rejects.toMatchObject({ status: 503 })
    sandbox.fault({ route: 'GET /payins/{idPayin}', action: { kind: 'drop-after' } })
    await expect(client.payins.retrieve('order-1')).rejects.toThrow()
    await sandbox.idle()
  }

  test('say of a wrong key what it means and how to fix it, first thing and by themselves', async () => {
    const { page } = tab
    await page.goto(gateway.url)
    await page.getByRole('heading', { name: 'Create the first payment' }).waitFor()
    await wrongKeyFirst()
    await page.getByText('2 refused requests need a fix').waitFor()
    await page.getByText('401 SIGNATURE_INVALID').waitFor()
    await page.getByRole('link', { name: 'Requests 2 refused' }).waitFor()
    await page.getByRole('link', { name: 'See what it means and how to fix it' }).click()
    await page.getByRole('heading', { name: 'POST /auth-tokens' }).waitFor()
    await page.locator('.exchange p').getByText('X-SIGNATURE does not match the body').waitFor()
    await page.getByText('How to fix it: Sign with the private key').waitFor()
    expect(await rows(page).count()).toBe(2)
  })

  test('count what is refused in red until it was seen, and no more when the same id is accepted', async () => {
    const { page } = tab
    const { sandbox, client } = gateway
    const { token } = await client.authTokens.create({ operations: ['POST /payins/.*'] })
    const headers = { ...gatewayHeaders, authorization: `Bearer ${token.reveal()}` }
    const refused = (id: string) =>
      sandbox.fetch(`https://gateway.example/payins/${id}`, { method: 'POST', headers, body: '{}' })
    sandbox.fault({ route: 'create', action: { kind: 'status', status: 422 } })
    await refused('order-1')
    await refused('order-2')
    await page.goto(gateway.url)
    // What the fault forced is not among them.
    const badge = page.locator('.tabs .pill')
    await badge.getByText('1 refused').waitFor()
    expect(await badge.getAttribute('data-tone')).toBe('bad')
    await page.getByRole('link', { name: 'Requests 1 refused' }).click()
    await expect.poll(() => badge.getAttribute('data-tone')).toBe('calm')
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Payments' }).click()
    expect(await badge.getAttribute('data-tone')).toBe('calm')
    await gateway.payin('order-2')
    await badge.waitFor({ state: 'detached' })
    await wrongKeyFirst()
    await badge.getByText('2 refused').waitFor()
    expect(await badge.getAttribute('data-tone')).toBe('bad')
  })

  test('break long codes behind an underscore', async () => {
    await wrongKeyFirst()
    const { page, done } = await watched(browser, { width: 380, height: 740 })
    await page.goto(`${gateway.url}#/request/1`)
    const code = page.locator('.headline code')
    await code.waitFor()
    // In a place that is too narrow for it, a line ends behind the underscore.
    const lines = await page.evaluate<string[]>(`(() => {
      const code = document.querySelector('.headline code')
      code.style.cssText = 'display: inline-block; width: 11ch'
      const range = document.createRange()
      return [...code.childNodes].filter(({ length }) => length > 0).map((text) => {
        range.selectNodeContents(text)
        return range.getClientRects().length + ' ' + text.data
      })
    })()`)
    expect(lines).toEqual(['1 SIGNATURE_', '1 INVALID'])
    await done()
  })

  test('show both bodies, what the token allows and the time it took, and never a secret', async () => {
    const { page } = tab
    await gateway.payin('order-1')
    await page.goto(`${gateway.url}#/requests`)
    await rows(page).first().click()
    await page.getByRole('heading', { name: 'POST /payins/order-1' }).waitFor()
    await page.getByText('The payin was accepted.').last().waitFor()
    for (const summary of await page.locator('.message summary').all()) await summary.click()
    const text = (await page.locator('.exchange').textContent()) ?? ''
    expect(text).toMatch(/"amount": 12\.5/)
    expect(text).toMatch(/"reference": "\d+"/)
    expect(text).toContain('POST /payins/.*')
    expect(text).toMatch(/Took(< 1|\d+) ms/)
    expect(text).toMatch(/authorization\[redacted\]/)
    await page.goto(`${gateway.url}#/request/1`)
    await page.getByRole('heading', { name: 'POST /auth-tokens' }).waitFor()
    for (const summary of await page.locator('.message summary').all()) await summary.click()
    const minted = (await page.locator('.exchange').textContent()) ?? ''
    expect(minted).toContain('The token that it made allowsPOST /payins/.*')
    expect(minted).toMatch(/"token": "\[redacted\]"/)
    expect(text + minted).not.toMatch(/eyJ|bearer\s+\S|[A-Za-z0-9+/]{100}/i)
  })

  test('keep search and filters over a reload, and give each its step in the history', async () => {
    const { page } = tab
    await busy()
    await page.goto(`${gateway.url}#/requests`)
    await expect.poll(() => paths(page)).toHaveLength(11)
    await page.getByRole('button', { name: 'Refused 4xx 4' }).click()
    const refused = ['/payins/nobody', '/payins/nobody', '/auth-tokens', '/auth-tokens']
    await expect.poll(() => paths(page)).toEqual(refused)
    await page.getByRole('button', { name: 'Payins', exact: true }).click()
    await expect.poll(() => paths(page)).toEqual(['/payins/nobody', '/payins/nobody'])
    await rows(page).first().click()
    await page.getByRole('heading', { name: 'GET /payins/nobody' }).waitFor()
    expect(page.url()).toMatch(/#\/request\/9\?result=refused&kind=payins$/)
    await page.reload()
    await page.getByRole('heading', { name: 'GET /payins/nobody' }).waitFor()
    await expect.poll(() => paths(page)).toEqual(['/payins/nobody', '/payins/nobody'])
    expect(await page.getByRole('button', { name: 'Payins', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    await page.goBack()
    await page.goBack()
    await expect.poll(() => paths(page)).toEqual(refused)
    await page.goBack()
    await expect.poll(() => paths(page)).toHaveLength(11)

    const box = page.getByRole('searchbox', { name: 'Search requests' })
    await box.fill('4,001.00')
    await page.getByText('1 match in 11 requests').waitFor()
    await page.reload()
    await page.getByText('1 match in 11 requests').waitFor()
    expect(await box.inputValue()).toBe('4,001.00')
    await box.fill('12.50')
    await expect.poll(() => paths(page)).toEqual(['/payouts/refund-1'])
    await box.fill('nothing like this')
    await page.getByText('No request fits.').waitFor()
    await page.getByRole('button', { name: 'Show all requests' }).click()
    await expect.poll(() => paths(page)).toHaveLength(11)
    expect(await box.inputValue()).toBe('')
  })

  test('lead to their payment, and the payment leads to them', async () => {
    const { page } = tab
    await busy()
    await page.goto(`${gateway.url}#/payout/refund-1`)
    await page.getByRole('link', { name: 'Requests of this payout' }).click()
    await expect.poll(() => paths(page)).toEqual(['/payouts/refund-1', '/auth-tokens'])
    await rows(page).first().click()
    await page.locator('.facts').getByRole('link', { name: 'refund-1' }).click()
    await page.getByRole('heading', { name: '12.50 EUR' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Only for payout/refund-1' }).click()
    await expect.poll(() => paths(page)).toHaveLength(11)
  })

  test('have pages where there are many', async () => {
    const { page } = tab
    for (let index = 0; index < 250; index += 1) {
      await gateway.sandbox.fetch(`https://gateway.example/payins/order-${index}`)
    }
    await page.goto(`${gateway.url}#/requests?page=2`)
    await page.locator('.search').getByText('250 requests').waitFor()
    await page.locator('.row', { hasText: /order-149/ }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.locator('.exchange-path', { hasText: /order-0$/ }).waitFor()
    expect(await rows(page).count()).toBe(50)
    expect(await violations(page)).toEqual([])
  })

  test.each([
    { name: 'light', dark: false, width: 1280, height: 740 },
    { name: 'dark', dark: true, width: 1440, height: 900 },
    { name: 'light, on a telephone', dark: false, width: 360, height: 740 },
    { name: 'dark, at 400 % zoom', dark: true, width: 320, height: 225 },
  ])('have no axe violation and nothing sticks out: $name', async ({ dark, width, height }) => {
    const { page, complaints, done } = await watched(browser, { dark, width, height })
    const fine = async () => {
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
    await page.goto(`${gateway.url}#/requests`)
    await page.getByText('No request has arrived yet.').waitFor()
    await fine()
    await wrongKeyFirst()
    await expect.poll(() => rows(page).count()).toBe(2)
    await fine()
    await page.goto(gateway.url)
    await page.getByText('2 refused requests need a fix').waitFor()
    await fine()
    await busy()
    gateway.sandbox.fault({ route: '*', action: { kind: 'html' } })
    await gateway.client.payins.retrieve('a-very-long-id-'.repeat(8)).catch(() => {})
    await page.goto(`${gateway.url}#/requests?payment=payin%2Forder-1&result=ok`)
    await page.getByRole('button', { name: 'Only for payin/order-1' }).waitFor()
    await fine()
    for (const entry of ['1', '5', '6', '8', '9', '12', '13', '999', '1?search=nothing']) {
      await page.goto(`${gateway.url}#/request/${entry}`)
      await page.getByText('Loading…').waitFor({ state: 'hidden' })
      await page.locator('.pane h2').waitFor()
      for (const summary of await page.locator('.message summary').all()) await summary.click()
      await fine()
    }
    // Chromium itself complains of the 404 for the request that is not there.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    complaints.length = 0
    await done()
  })
})

/** The requests of the list that are in the document. */
function rows(page: Page): Locator {
  return page.locator('#requests .row')
}

function paths(page: Page): Promise<string[]> {
  return page.locator('#requests .exchange-path bdi').allTextContents()
}
