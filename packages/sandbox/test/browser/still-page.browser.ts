import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { overflow, violations, type Watched, watched } from './watched.js'

describe.skipIf(chromiumPath === undefined)('the page can be relied on', () => {
  let browser: Browser
  let gateway: Gateway
  let tab: Watched

  beforeAll(async () => {
    browser = await launch()
  })
  beforeEach(async () => {
    gateway = await openGateway()
    tab = await watched(browser)
  })
  afterEach(async () => {
    await tab.done()
    await gateway.close()
  })
  afterAll(() => browser.close())

  const row = (page: Page, id: string) => page.locator('.row', { hasText: new RegExp(id) })

  test('six tabs are live and can be used', async () => {
    const { context } = tab
    const pages = await Promise.all(Array.from({ length: 6 }, () => context.newPage()))
    for (const page of pages) await page.goto(gateway.url)
    for (const page of pages) await page.getByText('Connected', { exact: true }).waitFor()
    await gateway.payin('order-1')
    for (const page of pages) await row(page, 'order-1').waitFor()
    const last = pages.at(-1)
    await last?.locator('.row', { hasText: /order-1/ }).click()
    await last?.getByRole('button', { name: 'Pay', exact: true }).click()
    for (const page of pages) await row(page, 'order-1').getByText('SUCCESS').waitFor()
    for (const page of pages) await page.close()
  })

  test('a tab that is hidden asks for nothing, and comes back to what is new', async () => {
    const { page } = tab
    await page.goto(gateway.url)
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.evaluate(turnTo('hidden'))
    const other = await tab.context.newPage()
    await other.goto(gateway.url)
    await other.getByText('Connected', { exact: true }).waitFor()
    await gateway.payin('order-1')
    await row(other, 'order-1').waitFor()
    expect(await row(page, 'order-1').count()).toBe(0)
    await page.evaluate(turnTo('visible'))
    await row(page, 'order-1').waitFor()
    await other.close()
  })

  test('a connection that is lost is said in a sentence, and comes back by itself', async () => {
    const { page, context } = tab
    await gateway.payin('order-1')
    await page.goto(gateway.url)
    await row(page, 'order-1').waitFor()
    await context.setOffline(true)
    await row(page, 'order-1').click()
    await page.getByText('The sandbox does not respond. The payment appears here when it does.').waitFor()
    expect(await page.locator('body').textContent()).not.toMatch(/failed to fetch|loading…/i)
    await context.setOffline(false)
    await page.getByRole('heading', { name: '12.50 EUR' }).waitFor()
    tab.complaints.length = 0
  })

  test('so it is with requests and with their list', async () => {
    const { page, context } = tab
    await gateway.payin('order-1')
    await page.goto(`${gateway.url}#/requests`)
    const create = page.locator('.row', { hasText: /POST.*order-1/ })
    await create.waitFor()
    await context.setOffline(true)
    await create.click()
    await page.getByText('The sandbox does not respond. The request appears here when it does.').waitFor()
    expect(await page.locator('body').textContent()).not.toMatch(/failed to fetch|loading…/i)
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'POST /payins/order-1' }).waitFor()

    await page.goto(gateway.url)
    await row(page, 'order-1').waitFor()
    await context.setOffline(true)
    await page.evaluate("location.hash = '#/requests'")
    await page.getByText('The sandbox does not respond; this list comes back when it does.').waitFor()
    expect(await page.locator('body').textContent()).not.toMatch(/loading…/i)
    await context.setOffline(false)
    await gateway.payin('order-2')
    await create.waitFor()
    tab.complaints.length = 0
  })

  test.each([
    { view: 'a payment', hash: '#/payin/order-1', heading: '12.50 EUR' },
    { view: 'a request', hash: '#/request/2', heading: 'POST /payins/order-1' },
  ])('Escape in a field leaves the field, and not $view that is open', async ({ hash, heading }) => {
    const { page } = tab
    await gateway.payin('order-1')
    await page.goto(`${gateway.url}${hash}`)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).hash).toBe(hash)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).hash).not.toBe(hash)
  })

  test('the title says what is open', async () => {
    const { page } = tab
    await gateway.payin('order-1')
    await page.goto(gateway.url)
    expect(await page.title()).toBe('Sandbox · no real money')
    await row(page, 'order-1').click()
    await expect
      .poll(() => page.title())
      .toMatch(/^(CREATED|PENDING) 12\.50 EUR, payin order-1 · Sandbox · no real money$/)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect.poll(() => page.title()).toMatch(/^SUCCESS/)
  })

  test('a page that is left alone draws next to nothing', async () => {
    const { page, context, done } = await watched(browser, { calm: false })
    await gateway.payin('order-1')
    await page.goto(`${gateway.url}#/payin/order-1`)
    await page.getByRole('heading', { name: '12.50 EUR' }).waitFor()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const layouts = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'RecalcStyleCount')?.value ?? 0
    }
    const before = await layouts()
    // A frame comes in any case; what counts is that nobody asks for one after the other.
    await page.evaluate(`new Promise((resolve) => {
      let left = 120
      requestAnimationFrame(function step() { left -= 1; if (left === 0) resolve(); else requestAnimationFrame(step) })
    })`)
    expect((await layouts()) - before).toBeLessThan(20)
    await done()
  })

  test('a payment whose merchant was never notified looks unhealthy', async () => {
    const { page } = tab
    const only = await openGateway({ callbackTries: 1, deliver: async () => ({ status: 500 }) })
    await only.payin('order-1')
    only.sandbox.payins.get('order-1').pay()
    await only.sandbox.idle()
    await page.goto(`${only.url}#/payin/order-1`)
    await row(page, 'order-1').getByText('callback failed').waitFor()
    await page.getByRole('searchbox').fill('callback failed')
    await page.getByText('1 payment', { exact: true }).waitFor()
    await page.getByText(/the merchant was not notified/).waitFor()
    await page.goto('about:blank')
    await only.close()
  })

  test.each([
    { name: '400 % zoom', width: 320, height: 256, dark: false },
    { name: '400 % zoom, dark', width: 320, height: 256, dark: true },
  ])('everything can be reached and nothing sticks out at $name', async ({ width, height, dark }) => {
    const { page, done } = await watched(browser, { width, height, dark })
    await gateway.payin('طلب-١')
    await gateway.payin('order-lost', '5001').catch(() => undefined)
    await page.goto(gateway.url)
    await row(page, 'order-lost').click()
    await page.getByText(/The response to the create was lost/).waitFor()
    await page.locator('.step').last().scrollIntoViewIfNeeded()
    expect(await overflow(page)).toBe(0)
    expect(await violations(page)).toEqual([])
    await done()
  })
})

/** As the browser does when a tab goes behind another; a headless one has all its tabs in sight. */
function turnTo(state: 'hidden' | 'visible'): string {
  return `
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
    document.dispatchEvent(new Event('visibilitychange'))`
}
