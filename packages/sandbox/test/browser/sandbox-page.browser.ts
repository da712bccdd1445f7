import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { overflow, violations, type Watched, watched } from './watched.js'

describe.skipIf(chromiumPath === undefined)('the sandbox page', () => {
  let browser: Browser
  let gateway: Gateway
  let tab: Watched

  beforeAll(async () => {
    browser = await launch()
  })
  beforeEach(async () => {
    gateway = await openGateway({ mistakes: 'note' })
    tab = await watched(browser)
  })
  afterEach(async () => {
    await tab.done()
    await gateway.close()
  })
  afterAll(() => browser.close())

  test('says how to create the first payment, and shows it by itself when it is there', async () => {
    const { page } = tab
    await page.goto(gateway.url)
    await page.getByRole('heading', { name: 'Create the first payment' }).waitFor()
    await page.getByText(`baseUrl: "http://127.0.0.1:${gateway.port}"`).waitFor()
    await gateway.payin('order-1')
    await page.locator('.row', { hasText: /order-1/ }).waitFor()
  })

  test('follows a payin from its creation to SUCCESS, with its whole history', async () => {
    const { page } = tab
    await gateway.payin('order-1')
    await page.goto(gateway.url)
    await page.locator('.row', { hasText: /order-1/ }).click()
    const history = page.locator('.timeline')
    await history.getByRole('button', { name: '1 token request' }).click()
    await history.getByText('POST /auth-tokens').waitFor()
    await history.getByText('POST /payins/order-1').waitFor()
    await history.getByText('Accepted as').waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await history.getByText('PENDING became').waitFor()
    await history.locator('li', { hasText: 'Callback for SUCCESS' }).getByText('response 204').waitFor()
    await page.locator('.title').getByText('SUCCESS').waitFor()
    await page
      .locator('.row', { hasText: /order-1.*/ })
      .getByText('SUCCESS')
      .waitFor()
    expect(gateway.sandbox.payins.get('order-1').status).toBe('SUCCESS')
    // Newest first, in the list and the last step last in the history.
    expect(await history.locator('li').last().getAttribute('data-type')).toBe('callback')
  })

  test('leads from a step of the history to its request in full', async () => {
    const { page } = tab
    await gateway.payin('order-1')
    await page.goto(`${gateway.url}#/payin/order-1`)
    await page.locator('.timeline').getByRole('link', { name: 'POST /payins/order-1' }).click()
    await page.getByRole('heading', { name: 'POST /payins/order-1' }).waitFor()
  })

  test('sends a callback again, and shows each delivery with its response', async () => {
    const { page } = tab
    gateway.merchant.status = 500
    await gateway.payin('order-1')
    await gateway.sandbox.idle()
    await page.goto(`${gateway.url}#/payin/order-1`)
    await page.getByText('response 500').first().waitFor()
    const before = gateway.merchant.received
    gateway.merchant.status = 204
    await page.getByRole('button', { name: 'Send the callback again' }).click()
    await page.getByText('response 204').first().waitFor()
    expect(gateway.merchant.received).toBeGreaterThan(before)
  })

  test('shows what a real gateway may refuse in a sentence, and what the merchant’s server answered', async () => {
    const { page } = tab
    Object.assign(gateway.merchant, { status: 500, body: 'the table orders is gone' })
    await gateway.payout('refund-1', '9000000.00')
    await page.goto(gateway.url)
    await page.locator('.row', { hasText: /refund-1/ }).click()
    await page.getByText('more than the balance in EUR').waitFor()
    await page.locator('.timeline').getByText('the table orders is gone').first().waitFor()
  })

  test('is usable by keyboard alone', async () => {
    const { page } = tab
    await gateway.payin('order-1')
    await gateway.payin('order-2')
    await page.goto(gateway.url)
    await rows(page).first().waitFor()
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the payments')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('payments')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('pane')
    expect(page.url()).toMatch(/#\/payin\/order-1$/)
    await page.getByRole('button', { name: 'Pay', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.title').getByText('SUCCESS').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toContain('order-1')
    await page.keyboard.press('/')
    await expect.poll(focused).toBe('search')
    await page.keyboard.type('order-2')
    await expect.poll(() => rows(page).count()).toBe(1)
  })

  test('opens the only match of a search by Enter, however fast it is typed, and none of several', async () => {
    const { page } = tab
    for (const id of ['order-1', 'order-20', 'order-21']) await gateway.payin(id)
    await page.goto(gateway.url)
    await rows(page).first().waitFor()
    const search = page.getByRole('searchbox', { name: 'Search payments' })
    await search.fill('order-2')
    await search.press('Enter')
    await page.getByText('2 matches in 3 payments').waitFor()
    expect(page.url()).toMatch(/#\/\?search=order-2$/)
    await search.fill('order-20')
    await search.press('Enter')
    await page.locator('.title').getByText('order-20', { exact: true }).waitFor()
  })

  test('shows whatever a merchant put into a field as text', async () => {
    const { page } = tab
    const hostile = '<img src=x onerror=document.title="owned">'
    await gateway.client.payins.create({
      idPayin: `order ${hostile.replaceAll('/', '')}`,
      paymentRequested: { money: { amount: 5, currencyCode: 'EUR' } },
      paymentMethod: {
        paymentMethodCode: hostile,
        account: { accountName: hostile, accountNumber: '"><script>document.title="owned"</script>' },
      },
      callbackUrl: `${gateway.callbackUrl}?q=${hostile}`,
    })
    gateway.sandbox.payins.list()[0]?.setStatus(hostile)
    await page.goto(gateway.url)
    await page.locator('.row', { hasText: hostile }).first().click()
    await page.getByText('Callback for').first().waitFor()
    for (const step of await page.locator('.step summary').all()) await step.click()
    await page.locator('.facts').getByText(hostile).first().waitFor()
    expect(await page.locator('#page img, #page script').count()).toBe(0)
    expect(await page.title()).not.toBe('owned')
  })

  test.each([
    { dark: false, width: 1280 },
    { dark: true, width: 380 },
  ])('says so when the sandbox goes away, and greys the list: %j', async (look) => {
    const { page, complaints, done } = await watched(browser, look)
    await gateway.payin('order-1')
    await page.goto(gateway.url)
    await page.getByText('Connected', { exact: true }).waitFor()
    const filter = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.list')).filter`)
    expect(await filter()).toBe('none')
    await gateway.close()
    await page.getByText('Disconnected, trying again').waitFor()
    expect(await filter()).toBe('grayscale(1)')
    const list = await page.locator('#payments').boundingBox()
    if (look.width === 380) expect(list?.y).toBeLessThanOrEqual(100)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    complaints.length = 0
    await done()
  })

  test('begins its lists within 100 px on a telephone, with the bar at the foot', async () => {
    const { page, done } = await watched(browser, { width: 380, height: 740 })
    await gateway.payin('order-1')
    const top = async (part: string) => (await page.locator(part).boundingBox())?.y
    await page.goto(gateway.url)
    await rows(page).first().waitFor()
    expect(await top('#payments')).toBeLessThanOrEqual(100)
    expect(await top('.toolbar')).toBeGreaterThan(680)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('#requests .row').first().waitFor()
    expect(await top('#requests')).toBeLessThanOrEqual(100)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('button', { name: 'Tokens' }).click()
    await expect.poll(() => page.locator('#requests .row').count()).toBe(1)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await done()
  })

  test.each([
    { name: 'light', dark: false, width: 1280 },
    { name: 'dark', dark: true, width: 1280 },
    { name: 'light, on a telephone', dark: false, width: 360 },
    { name: 'dark, on a telephone', dark: true, width: 360 },
  ])('has no axe violation and nothing sticks out: $name', async ({ dark, width }) => {
    const { page, done } = await watched(browser, { dark, width, height: 740 })
    await page.goto(gateway.url)
    await page.getByRole('heading', { name: 'Create the first payment' }).waitFor()
    expect(await violations(page)).toEqual([])
    gateway.merchant.status = 500
    await gateway.payin('order-1')
    await gateway.payout('a-very-long-id-'.repeat(8))
    gateway.sandbox.payouts.list()[0]?.setStatus('UNDER_REVIEW')
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    let shown = ''
    for (const row of [0, 1]) {
      await rows(page).nth(row).click()
      // The payment before has been response 500 as well, and may be shown a moment longer.
      await expect.poll(() => page.locator('#payment').innerText()).not.toBe(shown)
      shown = await page.locator('#payment').innerText()
      await page.getByText('response 500').first().waitFor()
      // Not by clicks one after the other: steps come in meanwhile, and would move what is clicked next.
      await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      // The list and the payment scroll, the page as a whole does not, and its parts stand below each other.
      const [header, tabs, body] = await Promise.all(
        ['.header', '.tabs', '.body'].map((part) => page.locator(part).boundingBox()),
      )
      expect(header?.y).toBe(0)
      expect(tabs?.y).toBe(header?.height)
      expect(body?.y).toBe((tabs?.y ?? 0) + (tabs?.height ?? 0))
      // On a telephone the bar is at the foot.
      const bar = width === 360 ? await page.locator('.toolbar').boundingBox() : null
      expect((body?.y ?? 0) + (body?.height ?? 0) + (bar?.height ?? 0)).toBe(740)
      if (bar !== null) expect(bar.y + bar.height).toBe(740)
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(740)
      if (width === 360) await page.getByRole('button', { name: 'All payments' }).click()
    }
    await done()
  })
})

/** The payments of the list that are in the document. */
function rows(page: Page): Locator {
  return page.locator('#payments .row')
}
