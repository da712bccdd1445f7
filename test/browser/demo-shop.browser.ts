import type { Browser } from 'playwright-core'
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

  test('takes a payin from the choice of a bank to SUCCESS, and refunds it by a payout', async () => {
    const { page, done } = await watched(browser)
    const seen: Promise<string>[] = []
    page.on('request', (request) => {
      seen.push(
        request.allHeaders().then((headers) => request.url() + JSON.stringify(headers) + request.postData()),
      )
    })
    page.on('response', (response) => {
      if (!response.url().endsWith('/events')) seen.push(response.text())
    })
    await page.goto(shop.url)
    await page.getByLabel('Amount').fill('20.40')
    await page.getByRole('radio', { name: 'Meridian Savings' }).check()
    await page.getByRole('button', { name: 'Order' }).click()

    await page.getByRole('heading', { name: 'Pay €20.40' }).waitFor()
    await page.getByText('Meridian Savings').locator('visible=true').waitFor()
    expect(await page.locator('#account').textContent()).toMatch(/^90\d{12}$/)
    expect(await page.locator('#reference').textContent()).toMatch(/^\d{12}$/)
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/)
    const began = await page.getByRole('timer').textContent()
    await expect.poll(() => page.getByRole('timer').textContent(), { timeout: 5000 }).not.toBe(began)

    // Only the callback can tell the shop that the payment has succeeded.
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByText('Paid. Thank you!').waitFor()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The bank is working on it.').waitFor()
    await page.getByText('The money is on its way to your account.').waitFor()

    await page.reload()
    await page.getByText('The money is on its way to your account.').waitFor()
    const everything = (await Promise.all(seen)).join('\n')
    expect(everything).not.toMatch(/eyJ|bearer|authorization"|x-signature/i)
    await done()
  })

  test('shows a refund that the bank sends back', async () => {
    const { page, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByLabel('Amount').fill('4001')
    await page.getByRole('radio', { name: 'Harbour Bank' }).check()
    await page.getByRole('button', { name: 'Order' }).click()
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The bank sent it back.').waitFor()
    await done()
  })

  test('hears of a payment that fails at the gateway, and says so by itself', async () => {
    const { page, context, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Northgate Bank' }).check()
    await page.getByRole('button', { name: 'Order' }).click()
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
    const id = new URL(page.url()).hash.slice(1)
    const gateway = await context.newPage()
    await gateway.goto(`${shop.gatewayPage}#/payin/${id}`)
    await gateway.getByRole('button', { name: 'Fail FAILED' }).click()
    await gateway.getByText('Callback for FAILED').getByText('answered 204').waitFor()
    await page.getByText('The payment failed. Nothing was taken.').waitFor()
    await done()
  })

  test('says what is wrong with an amount', async () => {
    const { page, complaints, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Harbour Bank' }).waitFor()
    await page.getByLabel('Amount').fill('12.345')
    await page.getByLabel('Amount').blur()
    await page.getByRole('alert').getByText('decimal').waitFor()
    // The browser itself notes every answer of 400.
    complaints.length = 0
    await done()
  })

  test('is usable by keyboard alone', async () => {
    const { page, done } = await watched(browser)
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Harbour Bank' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('order-title')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Paid. Thank you!').waitFor()
    await done()
  })

  test('refuses what another site sends', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const foreign = { ...init, headers: { ...init.headers, origin: 'https://evil.example' } }
    expect((await fetch(`${shop.url}api/orders`, foreign)).status).toBe(403)
    const plain = { ...init, headers: { 'content-type': 'text/plain' } }
    expect((await fetch(`${shop.url}api/orders`, plain)).status).toBe(415)
  })

  test.each([
    { name: 'light', dark: false, width: 1280 },
    { name: 'dark', dark: true, width: 1280 },
    { name: 'light, on a telephone', dark: false, width: 360 },
    { name: 'dark, on a telephone', dark: true, width: 360 },
  ])('has no axe violation and nothing sticks out: $name', async ({ dark, width }) => {
    const { page, done } = await watched(browser, { dark, width, height: 740 })
    const check = async () => {
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Harbour Bank' }).check()
    await check()
    await page.getByRole('button', { name: 'Order' }).click()
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
