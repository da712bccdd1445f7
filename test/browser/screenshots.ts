import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { type DemoShop, startShop } from './shop.js'
import { type Look, watched } from './watched.js'

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const browser = await launch()
let gateway: Gateway
let shop: DemoShop

beforeAll(async () => {
  gateway = await openGateway({ seed: 1, rateLimit: 10, settleAfterMs: 1200, retryAfter: 'seconds' })
  shop = await startShop()
  const amounts = ['12.50', '99.00', '4001', '250.00', '4003', '18.90', '4002']
  for (const [index, amount] of amounts.entries()) {
    await gateway.payin(`order-${1041 + index}`, amount)
    // The picture of the last minute wants requests in more than one second of it.
    await pause(900)
  }
  await gateway.payout('refund-1042', '99.00')
  await pause(1500)
  gateway.merchant.status = 503
  await gateway.payin('order-1048', '42.00')
  const burst = Array.from({ length: 9 }, (_, index) => gateway.payin(`order-${1049 + index}`, '7.25'))
  await Promise.allSettled(burst)
  await pause(1100)
  gateway.merchant.status = 204
  await pause(2500)
  await gateway.client.payins.retrieve('order-1048')
})
afterAll(async () => {
  await browser.close()
  await gateway.close()
  await shop.stop()
})

async function picture(name: string, look: Look, act: (page: Page) => Promise<void>): Promise<void> {
  const { page, context } = await watched(browser, look)
  await act(page)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' })
  await context.close()
}

const openStory = async (page: Page) => {
  await page.goto(`${gateway.url}#/payin/order-1048`)
  await page.getByText('answered 204').first().waitFor()
}

const order = async (page: Page) => {
  await page.goto(shop.url)
  await page.getByRole('radio', { name: 'Meridian Savings' }).check()
  await page.getByRole('button', { name: 'Order' }).click()
  await page.getByRole('button', { name: 'Pay now' }).waitFor()
  // The page is there before the order's own data are.
  await page
    .getByRole('timer')
    .filter({ hasText: /\d:\d\d/ })
    .waitFor()
  await page.getByText('PENDING').locator('visible=true').waitFor()
}

test('the sandbox page', async () => {
  await picture('sandbox-page-light', { width: 1280, height: 920 }, openStory)
  await picture('sandbox-page-dark', { width: 1280, height: 920, dark: true }, async (page) => {
    await openStory(page)
    await page.locator('.step summary').nth(1).click()
    await page.evaluate("document.getElementById('story').scrollIntoView()")
  })
  await picture('sandbox-page-phone', { width: 360, height: 760 }, async (page) => {
    await page.goto(gateway.url)
    await page.locator('#payments').getByRole('option').first().waitFor()
  })
  await picture('sandbox-page-welcome', { width: 1280, height: 920 }, async (page) => {
    await page.goto(gateway.url)
    await page.getByText('Arm a fault').click()
    await page.getByText('Amounts that force an outcome').click()
  })
  await picture('sandbox-page-phone-story', { width: 360, height: 760, dark: true }, openStory)
})

test('the demo shop', async () => {
  await picture('demo-shop-choose', { width: 720, height: 760 }, async (page) => {
    await page.goto(shop.url)
    await page.getByRole('radio', { name: 'Meridian Savings' }).check()
  })
  await picture('demo-shop-pay', { width: 720, height: 760 }, order)
  await picture('demo-shop-refund-dark', { width: 720, height: 760, dark: true }, async (page) => {
    await order(page)
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The money is on its way to your account.').waitFor()
  })
  await picture('demo-shop-phone', { width: 360, height: 740 }, order)
})
