import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type DemoShop, startShop } from './shop.js'
import { overflow, violations, watched } from './watched.js'

/** Where pictures go, for whoever wants to look. */
const { SCREENSHOT_FOLDER } = process.env
/** The shop starts again meanwhile. */
const patient = { timeout: 60_000 }

describe.skipIf(chromiumPath === undefined)('the bar above the demo shop', () => {
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

  const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
  const counter = (page: Page) => page.locator('#counter')
  const verdict = (page: Page) => page.locator('#verdict')

  async function picture(page: Page, name: string): Promise<void> {
    if (SCREENSHOT_FOLDER !== undefined)
      await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) })
  }

  /** An order whose payin loses its response, and whose callback comes twice. */
  async function orderWithAccidents(page: Page): Promise<void> {
    await press(page, 'Lose the next answer')
    await press(page, 'Callback twice')
    await expect.poll(() => page.locator('[aria-pressed="true"]').count(), patient).toBe(2)
    const customer = page.frameLocator('#shop')
    await customer.getByRole('button', { name: 'Order', exact: true }).click()
    await customer.getByText('Thank you for your order!').waitFor()
    await expect.poll(() => page.locator('[aria-pressed="true"]').count(), patient).toBe(0)
  }

  test.each([
    { width: 1280, dark: false },
    { width: 380, dark: true },
  ])(
    'counts the same orders and payments, or more payments without merchant-gateway, $width px',
    async (look) => {
      const { page, complaints, done } = await watched(browser, look)
      const check = async (name: string) => {
        expect(await violations(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
        await picture(page, `demo-bar-${look.width}-${name}`)
      }
      const headers = { 'content-type': 'application/json' }
      await fetch(`${shop.sideBySide}with-library`, { method: 'POST', headers, body: '{}' })
      await page.goto(shop.sideBySide)
      await expect.poll(() => counter(page).textContent(), patient).toMatch(/^0 orders, 0 payins/)
      await expect.poll(() => verdict(page).textContent(), patient).toBe('None is paid twice.')
      await orderWithAccidents(page)
      await expect
        .poll(() => counter(page).textContent(), patient)
        .toBe('1 order, 1 payin. 1 sold, 1 payout to the tea garden.')
      await check('right')
      await press(page, 'Kill the shop')
      await expect
        .poll(() => verdict(page).textContent(), patient)
        .toBe('The shop is dead, and starts again.')
      await check('dead')
      await expect.poll(() => verdict(page).textContent(), patient).toBe('None is paid twice.')
      // The program that can be copied names the gateway, and not the shop's server that hands its page on.
      const gateway = page.frameLocator('iframe').last()
      await gateway.getByText('9.80').first().waitFor()

      await page.getByLabel('without merchant-gateway').check()
      await expect.poll(() => counter(page).textContent(), patient).toMatch(/^0 orders, 0 payins/)
      const { origin } = new URL(shop.gatewayPage)
      await expect
        .poll(() => gateway.locator('.welcome pre').first().textContent(), patient)
        .toContain(origin)
      await page.frameLocator('#shop').getByLabel('How many packets').waitFor()
      await orderWithAccidents(page)
      await expect
        .poll(() => counter(page).textContent(), patient)
        .toMatch(/^1 order, 2 payins\. 1 sold, [2-9] payouts/)
      await expect.poll(() => verdict(page).textContent(), patient).toMatch(/^\d payments too many!$/)
      await check('wrong')
      // The browser itself notes every request that fails while the shop is dead.
      complaints.length = 0
      await done()
    },
    240_000,
  )
})
