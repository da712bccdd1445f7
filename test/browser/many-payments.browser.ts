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

  test('stays a window: few nodes, quick to scroll, right at both ends', async () => {
    const { page, done } = await watched(browser)
    await page.goto(gateway.url)
    const options = page.locator('#payments').getByRole('option')
    await page.getByText('10,000 payments').waitFor()
    await page.getByRole('option', { name: /order-9999/ }).waitFor()
    const nodes = () => page.evaluate<number>('document.querySelectorAll("#payments *").length')
    const most = 600
    expect(await nodes()).toBeLessThan(most)

    // Jumps all over the list; after each the rows in sight are there, and the document is as small as before.
    const times: number[] = []
    for (const place of [0.25, 0.5, 0.9, 0.1, 1]) {
      const began = performance.now()
      await page.evaluate(scrollTo(place))
      const first = Math.round(((MANY * 56 - (await height(page))) * place) / 56)
      await page.locator(`#payment-${Math.min(first + 3, MANY - 1)}`).waitFor()
      times.push(performance.now() - began)
      expect(await nodes()).toBeLessThan(most)
      expect(await options.count()).toBeLessThan(60)
    }
    await page.getByRole('option', { name: /order-0 / }).waitFor()
    console.log(
      `10,000 payments: ${await nodes()} nodes in the list; a jump takes ${Math.round(Math.max(...times))} ms at most`,
    )

    await page.locator('#payments').focus()
    await page.keyboard.press('Home')
    await page.getByRole('option', { name: /order-9999/ }).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('option', { name: /order-0 / }).waitFor()
    await page.getByRole('searchbox').fill('order-77')
    await page.getByText('111 matches in 10,000 payments').waitFor()
    await done()
  })

  test('opens the row that is clicked first after scrolling, and shows a search from its top', async () => {
    const { page, done } = await watched(browser)
    await page.goto(gateway.url)
    await page.getByRole('option', { name: /order-9999/ }).waitFor()
    await page.evaluate(scrollTo(0.5))
    const row = page.locator(`#payment-${Math.round(MANY / 2)}`)
    await row.waitFor()
    const id = await row.locator('.row-id').textContent()
    await row.click()
    await page
      .locator('.title code')
      .getByText(id ?? '', { exact: true })
      .waitFor()

    await page.getByRole('searchbox', { name: 'Search payments' }).fill('order-1')
    await page.getByText('1,111 matches in 10,000 payments').waitFor()
    await expect.poll(() => page.evaluate<number>('document.querySelector("#payments").scrollTop')).toBe(0)
    await page.getByRole('option', { name: /order-1999/ }).waitFor()

    await page.getByRole('searchbox', { name: 'Search payments' }).fill('/payins/order-77')
    await page.getByText('No payment fits the search.').waitFor()
    await page.getByRole('link', { name: /requests have it/ }).waitFor()
    await done()
  })

  test('keeps the reader at the same rows while payments come in', async () => {
    const { page, done } = await watched(browser)
    await page.goto(gateway.url)
    await page.locator('#payments').getByRole('option').first().waitFor()
    await page.evaluate(`document.getElementById('payments').scrollTop = 56 * 5000`)
    const row = page.locator('#payment-5003')
    await row.waitFor()
    const id = (await row.locator('.row-id').textContent()) ?? ''
    const top = () => page.getByText(id, { exact: true }).evaluate('(row) => row.getBoundingClientRect().top')
    const before = await top()
    await gateway.payin('newcomer-1')
    await page.getByRole('button', { name: '1 newer' }).waitFor()
    expect(await top()).toBe(before)
    await page.getByRole('button', { name: '1 newer' }).click()
    await page.getByRole('option', { name: /newcomer-1/ }).waitFor()
    await done()
  })
})

/** Texts, because the tests are compiled without the names of a browser. */
function scrollTo(place: number): string {
  return `{
    const list = document.getElementById('payments')
    list.scrollTop = (list.scrollHeight - list.clientHeight) * ${place}
  }`
}

function height(page: { evaluate(text: string): Promise<unknown> }): Promise<number> {
  return page.evaluate(`document.getElementById('payments').clientHeight`).then(Number)
}
