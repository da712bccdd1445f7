import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type DemoShop, startShop } from './shop.js'
import { overflow, violations, watched } from './watched.js'

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
  const payButton = (page: Page) => page.getByRole('button', { name: /^Pay now/ })
  const refundButton = (page: Page) => page.getByRole('button', { name: 'Ask for a refund' })

  /** How many packets of Sencha tell one test's order from another's. */
  async function choose(page: Page, quantity: number, bank = 'Meridian Savings'): Promise<void> {
    await page.goto(shop.url)
    await page.getByLabel('How many packets').fill(String(quantity))
    await page.getByRole('radio', { name: bank }).check()
  }

  async function buy(page: Page, quantity: number): Promise<void> {
    await choose(page, quantity)
    await orderButton(page).click()
    await payButton(page).click()
    await page.getByText('Thank you for your order!').waitFor()
  }

  /** How many payments the gateway has with this amount, both kinds together. */
  async function paymentsOf(amount: string): Promise<number> {
    const query = new URLSearchParams({ search: amount, offset: '0', limit: '10', keep: '' })
    const response = await fetch(`${shop.gatewayPage}api/payments?${query}`)
    const listing: { total: number } = JSON.parse(await response.text())
    return listing.total
  }

  test('takes a payin from the choice of a bank to SUCCESS, and refunds it in parts', async () => {
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
    await page.getByText('Total €19.60').waitFor()
    await orderButton(page).click()

    await page.getByRole('heading', { name: 'Pay €19.60' }).waitFor()
    await page.getByText('Meridian Savings').locator('visible=true').waitFor()
    expect(await page.locator('#reference').textContent()).toMatch(/^\d{12}$/)
    expect(await page.locator('#pay-until').textContent()).toMatch(/\d:\d\d/)
    expect(await page.locator('#order-number').textContent()).toMatch(/^HT-\w{4}-\w{4}$/)

    await payButton(page).click()
    await page.getByText('Thank you for your order!').waitFor()
    await page.getByText('the account that paid, which ends in 6789').waitFor()
    await page.getByLabel('Amount').fill('4.50')
    await refundButton(page).click()
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('15.10')
    await page.getByLabel('Amount').fill('10.00')
    await page.getByText('€4.50. The money is on its way to your account.').waitFor()
    expect(await page.getByLabel('Amount').inputValue()).toBe('10.00')
    await refundButton(page).click()
    await page.getByText('€10.00. The money is on its way to your account.').waitFor()
    await refundButton(page).click()
    await page.getByText('€5.10. The money is on its way to your account.').waitFor()
    expect(await refundButton(page).isVisible()).toBe(false)

    await page.reload()
    await page.getByText('€5.10. The money is on its way to your account.').waitFor()
    const everything = (await Promise.all(seen)).join('\n')
    expect(everything).not.toMatch(/eyJ|bearer|authorization"|x-signature|idPay/i)
    await done()
  })

  test('hears of a payment that fails at the gateway, and says so by itself', async () => {
    const { page, context, done } = await watched(browser)
    await choose(page, 3)
    await orderButton(page).click()
    await payButton(page).waitFor()
    const gateway = await context.newPage()
    await gateway.goto(shop.gatewayPage)
    await gateway.locator('#payments').locator('.row').filter({ hasText: '29.40' }).click()
    await gateway.getByRole('button', { name: 'Fail', exact: true }).click()
    await page.bringToFront()
    await page.getByText('Your bank did not make the payment.').waitFor()
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
    await payButton(page).waitFor({ timeout: 60_000 })
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
    await page.getByRole('status').getByText('We can’t reach the shop.').waitFor()
    await expect.poll(() => lost).toBeGreaterThan(1)
    await page.reload()
    await page.getByRole('status').getByText('We can’t reach the shop.').waitFor()
    isLosing = false
    await page.getByRole('heading', { name: 'Pay €58.80' }).waitFor()
    await expect.poll(() => page.locator('#notice').isVisible()).toBe(false)
    expect(await paymentsOf('58.80')).toBe(1)
    // The browser itself notes every request that fails.
    complaints.length = 0
    await done()
  })

  test('a refund that failed can be asked for again after a reload, and is one refund', async () => {
    const { page, complaints, done } = await watched(browser)
    await buy(page, 9)
    await page.route('**/refund', (route) =>
      route.fulfill({ status: 503, json: { message: 'Something is wrong on our side right now.' } }),
    )
    await refundButton(page).click()
    await page.getByRole('status').getByText('Something is wrong on our side').waitFor()
    await page.reload()
    await page.unroute('**/refund')
    await refundButton(page).click()
    await page.getByText('The money is on its way to your account.').waitFor()
    expect(await paymentsOf('88.20')).toBe(2)
    complaints.length = 0
    await done()
  })

  test('says what is wrong with an order, a refund, and the address of an order', async () => {
    const { page, complaints, done } = await watched(browser)
    await choose(page, 21)
    await orderButton(page).click()
    await page.getByRole('alert').getByText('You can order 1 to 20 packets.').waitFor()
    await buy(page, 10)
    await page.getByLabel('Amount').fill('98.01')
    await refundButton(page).click()
    await page.getByRole('alert').getByText('We can give back 98 EUR of this order').waitFor()
    await page.goto(`${shop.url}#0123456789abcdef`)
    await page.getByRole('alert').getByText('We do not know this order.').waitFor()
    // The browser itself notes every response of 400, 404 and 409.
    complaints.length = 0
    await done()
  })

  test('is usable by keyboard alone', async () => {
    const { page, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Harbour Bank' }).waitFor()
    const tabTo = async (id: string) => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate('document.activeElement.id')) === id) return
      }
      throw new Error(`Tab never comes to ${id}.`)
    }
    await tabTo('quantity')
    await page.keyboard.press('ArrowUp')
    await page.getByText('Total €19.60').waitFor()
    await tabTo('order-button')
    await page.keyboard.press('Enter')
    await payButton(page).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('order-title')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Thank you for your order!').waitFor()
    await done()
  })

  test('shows the shop and the gateway side by side in one window', async () => {
    const { page, done } = await watched(browser, { width: 1440 })
    await page.goto(shop.sideBySide)
    const customer = page.frameLocator('iframe').first()
    const gateway = page.frameLocator('iframe').last()
    // The program that can be copied names the gateway, and not the shop that hands its page on.
    const { origin } = new URL(shop.gatewayPage)
    await expect
      .poll(() => gateway.locator('.welcome pre').first().textContent())
      .toContain(`baseUrl: "${origin}"`)
    await customer.getByLabel('How many packets').fill('12')
    await customer.getByRole('button', { name: 'Order', exact: true }).click()
    await customer.getByRole('heading', { name: 'Pay €117.60' }).waitFor()
    await gateway.locator('#payments').locator('.row').filter({ hasText: '117.60' }).click()
    await gateway.getByRole('button', { name: 'Pay', exact: true }).click()
    await customer.getByText('Thank you for your order!').waitFor()
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
    await payButton(page).waitFor()
    await check()
    await payButton(page).click()
    await refundButton(page).waitFor()
    await check()
    await refundButton(page).click()
    await page.getByText('The money is on its way to your account.').waitFor()
    await check()
    await done()
  })
})
