import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type DemoShop, startShop } from './shop.js'
import { overflow, violations, watched } from './watched.js'

/** The page asks once a second. */
const patient = { timeout: 30_000 }

describe.skipIf(chromiumPath === undefined)('the demo shop', () => {
  let browser: Browser
  let shop: DemoShop

  beforeAll(async () => {
    browser = await launch()
    shop = await startShop()
  })
  afterAll(async () => {
    await browser.close()
    expect(await shop.stop()).toBe(0)
  })

  const orderButton = (page: Page) => page.getByRole('button', { name: 'Order', exact: true })
  const thanks = 'Thank you for your order!'
  const unreachable = 'We can’t reach the shop.'

  /** How many packets of tea tell one test's order from another's. */
  async function choose(page: Page, quantity: number): Promise<void> {
    await page.goto(shop.url)
    await page.getByLabel('How many packets').fill(String(quantity))
  }

  /** How many payments the gateway has with this amount. */
  async function paymentsOf(amount: string): Promise<number> {
    const query = new URLSearchParams({ search: amount, offset: '0', limit: '10', keep: '' })
    const response = await fetch(`${shop.gatewayPage}api/payments?${query}`)
    const listing: { total: number } = JSON.parse(await response.text())
    return listing.total
  }

  test('takes a payin to SUCCESS, and says what the tea garden gets', async () => {
    const { page, done } = await watched(browser)
    const seen: Promise<string>[] = []
    page.on('request', (request) => {
      seen.push(
        request.allHeaders().then((headers) => request.url() + JSON.stringify(headers) + request.postData()),
      )
    })
    page.on('response', (response) => {
      seen.push(response.text().catch(() => ''))
    })
    await choose(page, 2)
    await orderButton(page).click()
    await page.getByRole('heading', { name: '€19.60' }).waitFor()
    await expect.poll(() => page.locator('#reference').textContent(), patient).toMatch(/^\d{12}$/)
    await page.getByText(thanks).waitFor()
    await page.getByText('The tea garden gets €12.00.').waitFor()
    await page.reload()
    await page.getByText('The tea garden gets €12.00.').waitFor()
    const everything = (await Promise.all(seen)).join('\n')
    expect(everything).not.toMatch(/eyJ|bearer|authorization"|x-signature|idPay/i)
    await done()
  })

  test('keeps an order while the gateway answers nothing, and says so', async () => {
    const { page, done } = await watched(browser)
    const faults = `${shop.gatewayPage}api/faults`
    const fault = {
      at: 'request',
      route: 'POST /payins/{idPayin}',
      times: 100,
      action: { kind: 'drop-after' },
    }
    const headers = { 'content-type': 'application/json' }
    const armed = await fetch(faults, { method: 'POST', headers, body: JSON.stringify(fault) })
    expect(armed.status).toBe(200)
    await choose(page, 4)
    await orderButton(page).click()
    await page.getByText('Your order is kept').waitFor()
    await fetch(faults, { method: 'DELETE', headers })
    await page.getByText(thanks).waitFor({ timeout: 60_000 })
    expect(await paymentsOf('39.20')).toBe(1)
    await done()
  })

  test('an order whose responses are lost is one order, also after a reload', async () => {
    const { page, complaints, done } = await watched(browser)
    await choose(page, 6)
    let lost = 0
    let isLosing = true
    await page.route('**/orders/*', async (route) => {
      if (!isLosing) return route.continue()
      await route.fetch()
      lost += 1
      // The page may have been reloaded meanwhile.
      await route.abort().catch(() => {})
    })
    await orderButton(page).click()
    await page.getByRole('status').getByText(unreachable).waitFor()
    await expect.poll(() => lost, patient).toBeGreaterThan(1)
    await page.reload()
    await page.getByRole('status').getByText(unreachable).waitFor()
    isLosing = false
    await page.getByText(thanks).waitFor()
    await expect.poll(() => page.locator('#notice').isVisible(), patient).toBe(false)
    expect(await paymentsOf('58.80')).toBe(1)
    // The browser itself notes every request that fails.
    complaints.length = 0
    await done()
  })

  test.each([
    ['FAILED', 'Your bank did not make the payment.'],
    ['EXPIRED', 'Nobody paid in time.'],
    ['REFUSED', 'The bank did not accept this order.'],
    ['CHECKING', 'Please don’t pay it again.'],
    ['UNDER_REVIEW', 'Please don’t pay it again.'],
  ])('says of an order that is %s: %s', async (status, sentence) => {
    const { page, done } = await watched(browser)
    const json = { status, cents: 980, quantity: 1, payTo: null, shipments: 0, payouts: [] }
    await page.route('**/orders/*', (route) => route.fulfill({ json }))
    await page.goto(`${shop.url}#0123456789abcdef012345`)
    await page.getByText(sentence).waitFor()
    await done()
  })

  test('says what is wrong with an order, and with the address of one', async () => {
    const { page, complaints, done } = await watched(browser)
    await choose(page, 21)
    await orderButton(page).click()
    await page.getByRole('alert').getByText('You can order 1 to 20 packets.').waitFor()
    await page.getByLabel('How many packets').fill('5')
    await orderButton(page).click()
    await page.getByText(thanks).waitFor()
    await page.goto(`${shop.url}#0123456789abcdef`)
    await page.getByRole('alert').getByText('We do not know this order.').waitFor()
    // The browser itself notes every response of 400 and 404.
    complaints.length = 0
    await done()
  })

  test('is usable by keyboard alone', async () => {
    const { page, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByText('Sencha').waitFor()
    const tabTo = async (id: string) => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate('document.activeElement.id')) === id) return
      }
      throw new Error(`Tab never comes to ${id}.`)
    }
    await tabTo('quantity')
    await page.keyboard.press('ArrowUp')
    await tabTo('order-button')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '€19.60' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id'), patient).toBe('title')
    await page.getByText(thanks).waitFor()
    await done()
  })

  test.each([
    { name: 'light', dark: false, width: 1280 },
    { name: 'dark', dark: true, width: 1280 },
    { name: 'light, on a telephone', dark: false, width: 320 },
    { name: 'dark, on a telephone', dark: true, width: 360 },
  ])('has no axe violation and nothing sticks out: $name', async ({ dark, width }) => {
    const { page, done } = await watched(browser, { dark, width, height: 740 })
    const check = async () => {
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
    await choose(page, 1)
    await check()
    await orderButton(page).click()
    await page.getByRole('heading', { name: '€9.80' }).waitFor()
    await check()
    await page.getByText(thanks).waitFor()
    await check()
    await done()
  })
})
