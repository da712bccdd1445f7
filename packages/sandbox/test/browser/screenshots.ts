import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { GatewayClient } from '../../../../src/index.js'
import { launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { type Look, watched } from './watched.js'

const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
const browser = await launch()
let gateway: Gateway

beforeAll(async () => {
  gateway = await openGateway({ seed: 1, rateLimit: 10, payAfterMs: 1200, retryAfter: 'seconds' })
  const amounts = ['12.50', '99.00', '4001', '250.00', '4003', '18.90', '4002']
  for (const [index, amount] of amounts.entries()) {
    await gateway.payin(`order-${1041 + index}`, amount)
    // So that the times in the list differ.
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
})

async function picture(name: string, look: Look, act: (page: Page) => Promise<void>): Promise<void> {
  const { page, context } = await watched(browser, look)
  await act(page)
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot({ animations: 'disabled' })
  writeFileSync(`${folder}${name}.webp`, await asWebp(png.toString('base64')))
  await context.close()
}

/** A third of the bytes. */
async function asWebp(png: string): Promise<Buffer> {
  const page = await browser.newPage()
  const webp = await page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png}'
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.4)
  })()`)
  await page.close()
  return Buffer.from(webp.replace(/^.*,/, ''), 'base64')
}

const openStory = async (page: Page) => {
  await page.goto(`${gateway.url}#/payin/order-1048`)
  await page.getByText('response 204').first().waitFor()
}

test('the sandbox page', async () => {
  await picture('sandbox-page-light', { width: 1280, height: 920 }, openStory)
})

test('the requests of the sandbox page, and its bar', async () => {
  const size = { width: 1280, height: 920 }
  // The first thing that happens to anybody.
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const stranger = new GatewayClient({ ...gateway.sandbox.clientOptions(), privateKey })
  await stranger.merchantInfo.retrieve().catch(() => {})
  await stranger.close()
  await picture('sandbox-page-requests', size, async (page) => {
    await page.goto(`${gateway.url}#/requests?result=refused`)
    await page.locator('#requests .row').first().click()
    await page.getByText('How to fix it').waitFor()
    await page.goto(`${page.url().replace(/\?.*/, '')}`)
  })
  await picture('sandbox-page-create', size, async (page) => {
    await openStory(page)
    await page.getByRole('button', { name: /^Create/ }).click()
  })
})
