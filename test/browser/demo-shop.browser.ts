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

  /** A gift card, since its amount can be any. */
  async function choose(page: Page, amount: string, bank = 'Meridian Savings'): Promise<void> {
    await page.goto(shop.url)
    await page.getByLabel('Amount of the gift card').fill(amount)
    await page.getByRole('button', { name: 'One Gift card more' }).click()
    await page.getByRole('radio', { name: bank }).check()
  }

  /** How many payments the gateway has with this amount, both kinds together. */
  async function paymentsOf(amount: string): Promise<number> {
    const query = new URLSearchParams({ search: amount, offset: '0', limit: '10', keep: '' })
    const response = await fetch(`${shop.gatewayPage}api/payments?${query}`)
    const listing: { total: number } = JSON.parse(await response.text())
    return listing.total
  }

  test('takes a payin from the choice of a bank to SUCCESS, and refunds it by a payout', async () => {
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
    await choose(page, '10.20')
    await page.getByText('Step 1 of 3').waitFor()
    await page.getByLabel('How many: Gift card').fill('2')
    await page.getByText('Total €20.40').waitFor()
    await orderButton(page).click()

    await page.getByRole('heading', { name: 'Pay €20.40' }).waitFor()
    await page.getByText('Step 2 of 3').waitFor()
    await page.getByText('Meridian Savings').locator('visible=true').waitFor()
    expect(await page.locator('#reference').textContent()).toMatch(/^\d{12}$/)
    expect(await page.locator('#order-number').textContent()).toMatch(/^HT-\w{4}-\w{4}$/)
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/)

    // Only the callback can tell the shop that the payment has succeeded.
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByText('Thank you for your order!').waitFor()
    await page.getByText('Step 3 of 3').waitFor()
    await page.getByText('the account that paid, which ends in 6789').waitFor()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The money is on its way to your account.').waitFor()

    await page.reload()
    await page.getByText('The money is on its way to your account.').waitFor()
    const everything = (await Promise.all(seen)).join('\n')
    expect(everything).not.toMatch(/eyJ|bearer|authorization"|x-signature|idPay/i)
    await done()
  })

  test('shows a refund that the bank sends back', async () => {
    const { page, done } = await watched(browser)
    await choose(page, '4.001,00')
    await orderButton(page).click()
    await page.getByRole('heading', { name: 'Pay €4,001.00' }).waitFor()
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The bank could not deliver the money.').waitFor()
    await done()
  })

  test('hears of a payment that fails at the gateway, and says so by itself', async () => {
    const { page, context, done } = await watched(browser)
    await choose(page, '77.70')
    await orderButton(page).click()
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
    const gateway = await context.newPage()
    await gateway.goto(shop.gatewayPage)
    await gateway.locator('#payments').getByRole('option').filter({ hasText: '77.70' }).click()
    await gateway.locator('[data-outcome=FAILED]').click()
    await page.bringToFront()
    await page.getByText('Your bank did not make the payment.').waitFor()
    await done()
  })

  test('two clicks are one order', async () => {
    const { page, done } = await watched(browser)
    await choose(page, '31.15')
    await orderButton(page).dblclick()
    await page.getByRole('heading', { name: 'Pay €31.15' }).waitFor()
    expect(await paymentsOf('31.15')).toBe(1)
    await done()
  })

  test('an order whose answers are lost is one order: the page sends it again, also after a reload', async () => {
    const { page, complaints, done } = await watched(browser)
    await choose(page, '31.25')
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
    await page.getByRole('button', { name: 'Ordering…' }).waitFor()
    isLosing = false
    await page.getByRole('heading', { name: 'Pay €31.25' }).waitFor()
    await expect.poll(() => page.locator('#notice').isVisible()).toBe(false)
    expect(await paymentsOf('31.25')).toBe(1)
    // The browser itself notes every request that fails.
    complaints.length = 0
    await done()
  })

  test('says that the network is gone, and goes on when it is back', async () => {
    const { page, context, complaints, done } = await watched(browser)
    await choose(page, '31.30')
    await context.setOffline(true)
    await orderButton(page).click()
    await page.getByRole('status').getByText('You are offline.').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Pay €31.30' }).waitFor()
    complaints.length = 0
    await done()
  })

  test('says that the network is slow', async () => {
    const { page, done } = await watched(browser)
    await page.clock.install()
    await choose(page, '31.40')
    let letGo = () => {}
    const isSlow = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/orders/*', async (route) => {
      await isSlow
      await route.continue()
    })
    await orderButton(page).click()
    await page.clock.fastForward(3_000)
    await page.getByRole('status').getByText('This takes longer than usual.').waitFor()
    letGo()
    await page.getByRole('heading', { name: 'Pay €31.40' }).waitFor()
    await done()
  })

  test('a refund that failed can be asked for again after a reload, and is one refund', async () => {
    const { page, complaints, done } = await watched(browser)
    await choose(page, '31.55')
    await orderButton(page).click()
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.route('**/refund', (route) =>
      route.fulfill({ status: 503, json: { message: 'Something is wrong on our side right now.' } }),
    )
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByRole('status').getByText('Something is wrong on our side').waitFor()
    await page.reload()
    await page.unroute('**/refund')
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The money is on its way to your account.').waitFor()
    expect(await paymentsOf('31.55')).toBe(2)
    complaints.length = 0
    await done()
  })

  test('says what is wrong with an amount, and with an order that there is not', async () => {
    const { page, complaints, done } = await watched(browser)
    await choose(page, '12.345')
    await orderButton(page).click()
    await page.getByRole('alert').getByText('Please write the gift card’s amount as').waitFor()
    await page.goto(`${shop.url}#0123456789abcdef`)
    await page.getByRole('alert').getByText('We do not know this order.').waitFor()
    // The browser itself notes every answer of 400 and 404.
    complaints.length = 0
    await done()
  })

  test('writes amounts as the customer’s language does', async () => {
    const context = await browser.newContext({ locale: 'de-DE' })
    const page = await context.newPage()
    await choose(page, '12,50')
    await page.getByText('Total 12,50 €').waitFor()
    await orderButton(page).click()
    await page.getByRole('heading', { name: 'Pay 12,50 €' }).waitFor()
    await context.close()
  })

  test('is usable by keyboard alone', async () => {
    const { page, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Harbour Bank' }).waitFor()
    const tabTo = async (name: string) => {
      const focused =
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent'
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.keyboard.press('Tab')
        if ((await page.evaluate<string>(focused)) === name) return
      }
      throw new Error(`Tab never comes to ${name}.`)
    }
    await tabTo('One Teapot more')
    await page.keyboard.press('Enter')
    await page.getByText('Total €48.00').waitFor()
    await tabTo('Order')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
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
    await customer.getByLabel('Amount of the gift card').fill('31.60')
    await customer.getByRole('button', { name: 'One Gift card more' }).click()
    await customer.getByRole('button', { name: 'Order', exact: true }).click()
    await customer.getByRole('heading', { name: 'Pay €31.60' }).waitFor()
    await gateway.locator('#payments').getByRole('option').filter({ hasText: '31.60' }).click()
    await gateway.locator('[data-outcome=SUCCESS]').click()
    await customer.getByText('Thank you for your order!').waitFor()
    await done()
  })

  test('hands the gateway’s page on to nobody else', async () => {
    const { hostname, port } = new URL(shop.sideBySide)
    const api = `http://${hostname}:${port}/_sandbox/api/info`
    expect((await fetch(api)).status).toBe(200)
    expect((await fetch(api, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
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
    await choose(page, '10.00')
    await check()
    await orderButton(page).click()
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
    await check()
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: 'Ask for a refund' }).waitFor()
    await check()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The money is on its way to your account.').waitFor()
    await check()
    await done()
  })
})
