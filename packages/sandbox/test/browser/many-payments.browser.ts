import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { watched } from './watched.js'

const MANY = 10_000

describe.skipIf(chromiumPath === undefined)('the list with 10,000 payments', () => {
  let browser: Browser
  let gateway: Gateway

  beforeAll(async () => {
    browser = await launch()
    gateway = await openGateway()
    const { token } = await gateway.client.authTokens.create({ operations: ['POST /payins/.*'] })
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-version': '2',
      authorization: `Bearer ${token.reveal()}`,
    }
    for (let index = 0; index < MANY; index += 1) {
      const body = JSON.stringify({
        paymentRequested: { money: { amount: (index % 900) + 1, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'VAPAY' },
      })
      const url = `https://gateway.example/payins/order-${index}`
      const response = await gateway.sandbox.fetch(url, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(await response.text())
    }
  })
  afterAll(async () => {
    await browser.close()
    await gateway.close()
  })

  test('has pages: few nodes, and right at both ends', async () => {
    const { page, done } = await watched(browser)
    await page.goto(gateway.url)
    const options = page.locator('#payments .row')
    await page.getByText('10,000 payments').waitFor()
    await page.locator('.row', { hasText: /order-9999/ }).waitFor()
    expect(await options.count()).toBe(100)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('101 to 200').waitFor()
    await expect.poll(() => options.first().textContent()).toContain('order-9899')
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect.poll(() => options.first().textContent()).toContain('order-9999')

    await page.goto(`${gateway.url}#/?page=100`)
    await page.locator('#payments').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.locator('.title').getByText('order-0', { exact: true }).waitFor()
    expect(page.url()).toMatch(/#\/payin\/order-0\?page=100$/)
    await done()
  })

  test('opens the row that is clicked first after scrolling, and shows a search from its top', async () => {
    const { page, done } = await watched(browser)
    await page.goto(`${gateway.url}#/?page=50`)
    await page.locator('.row', { hasText: /order-5000/ }).click()
    await page.locator('.title code').getByText('order-5000', { exact: true }).waitFor()

    await page.getByRole('searchbox', { name: 'Search payments' }).fill('order-1')
    await page.getByText('1,111 matches in 10,000 payments').waitFor()
    await page.getByText('1 to 100').waitFor()
    await page.locator('.row', { hasText: /order-1999/ }).waitFor()

    await page.getByRole('searchbox', { name: 'Search payments' }).fill('/payins/order-77')
    await page.getByText('No payment fits the search.').waitFor()
    await page.getByRole('link', { name: 'Search the requests' }).waitFor()
    await done()
  })

  test('keeps the reader at the same rows while payments come in', async () => {
    const { page, done } = await watched(browser)
    await page.goto(gateway.url)
    await page.locator('#payments .row').first().waitFor()
    await page.evaluate(`document.getElementById('payments').scrollTop = 56 * 50`)
    const row = page.locator('#payments .row').nth(53)
    await row.waitFor()
    const id = (await row.locator('.row-id').textContent()) ?? ''
    const top = async () => (await page.getByText(id, { exact: true }).boundingBox())?.y
    const before = await top()
    expect(before).toBeGreaterThan(0)
    await gateway.payin('newcomer-1')
    await page.locator('.row', { hasText: /newcomer-1/ }).waitFor({ state: 'attached' })
    expect(await top()).toBe(before)
    await done()
  })
})
