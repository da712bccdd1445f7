import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import { launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { openRehearsedShop } from './rehearsed-shop.js'
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

const choose = async (page: Page | FrameLocator) => {
  await page.getByRole('button', { name: 'One Sencha more' }).click()
  await page.getByRole('button', { name: 'One Teapot more' }).click()
  await page.getByRole('radio', { name: 'Meridian Savings' }).check()
}

const order = async (page: Page | FrameLocator) => {
  await choose(page)
  await page.getByRole('button', { name: 'Order', exact: true }).click()
  await page.getByRole('button', { name: 'Pay now' }).waitFor()
  await page
    .getByRole('timer')
    .filter({ hasText: /\d:\d\d/ })
    .waitFor()
}

test('the sandbox page', async () => {
  await picture('sandbox-page-light', { width: 1280, height: 920 }, openStory)
  await picture('sandbox-page-dark', { width: 1280, height: 920, dark: true }, async (page) => {
    await openStory(page)
    await page.locator('.step summary').nth(1).click()
    await page.evaluate("document.getElementById('history').scrollIntoView()")
  })
  await picture('sandbox-page-phone', { width: 360, height: 760 }, async (page) => {
    await page.goto(gateway.url)
    await page.locator('#payments').getByRole('option').first().waitFor()
  })
  await picture('sandbox-page-welcome', { width: 1280, height: 920 }, async (page) => {
    await page.goto(gateway.url)
    await page.getByText('Amounts that force an outcome').waitFor()
  })
  await picture('sandbox-page-phone-story', { width: 360, height: 760, dark: true }, openStory)
})

test('the requests of the sandbox page, and its bar', async () => {
  const size = { width: 1280, height: 920 }
  // The first thing that happens to anybody.
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const stranger = new GatewayClient({ ...gateway.sandbox.clientOptions(), privateKey })
  await stranger.merchantInfo.retrieve().catch(() => {})
  await stranger.close()
  await picture('sandbox-page-requests', size, async (page) => {
    await page.goto(`${gateway.url}#/requests?status=refused`)
    await page.locator('#requests').getByRole('option').first().click()
    await page.getByText('How to mend it').waitFor()
    await page.goto(`${page.url().replace(/\?.*/, '')}`)
  })
  await picture('sandbox-page-create', size, async (page) => {
    await openStory(page)
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByText('The first answer').click()
  })
})

test('a rehearsal on the sandbox page', async () => {
  const rehearsed = await openGateway()
  const customers = await openRehearsedShop(rehearsed)
  customers.makesNewIds = true
  await picture('sandbox-page-rehearse', { width: 1280, height: 1240 }, async (page) => {
    await page.goto(`${rehearsed.url}#/rehearse?of=answer&route=POST+/payins/{idPayin}`)
    await page.getByRole('textbox', { name: 'What a customer does' }).fill(customers.act)
    await page.getByRole('textbox', { name: 'Where your application says' }).fill(customers.status)
    await page.getByRole('button', { name: 'Use this application' }).click()
    await page.getByRole('button', { name: 'The gateway accepts and answers 500' }).click()
    await page.locator('#verdict').waitFor({ timeout: 40_000 })
    await page.locator('.announcement[data-empty=true]').waitFor({ state: 'attached', timeout: 10_000 })
  })
  await customers.close()
  await rehearsed.close()
})

test('the demo shop', async () => {
  const look = { width: 720, height: 900 }
  await picture('demo-shop-choose', { width: 720, height: 1290 }, async (page) => {
    await page.goto(shop.url)
    await choose(page)
  })
  await picture('demo-shop-pay', look, async (page) => {
    await page.goto(shop.url)
    await order(page)
  })
  await picture('demo-shop-refund-dark', { ...look, dark: true }, async (page) => {
    await page.goto(shop.url)
    await order(page)
    await page.getByRole('button', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: 'Ask for a refund' }).click()
    await page.getByText('The money is on its way to your account.').waitFor()
  })
  await picture('demo-shop-phone', { width: 360, height: 840 }, async (page) => {
    await page.goto(shop.url)
    await order(page)
  })
  await picture('demo-shop-side-by-side', { width: 1440, height: 900 }, async (page) => {
    await page.goto(shop.sideBySide)
    const customer = page.frameLocator('iframe').first()
    await order(customer)
    await customer.getByRole('button', { name: 'Pay now' }).click()
    await customer.getByText('Thank you for your order!').waitFor()
    const payments = page.frameLocator('iframe').last().locator('#payments')
    await payments.getByRole('option').first().click()
  })
})
