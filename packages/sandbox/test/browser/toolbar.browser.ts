import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../../src/index.js'
import { chromiumPath, launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { overflow, violations, type Watched, watched } from './watched.js'

const HOUR = 3_600_000

describe.skipIf(chromiumPath === undefined)('the bar of the sandbox page', () => {
  let browser: Browser
  let gateway: Gateway
  let tab: Watched

  beforeAll(async () => {
    browser = await launch()
  })
  const begin = async (options: SandboxOptions = {}) => {
    gateway = await openGateway(options)
    tab = await watched(browser)
    await tab.page.goto(gateway.url)
    return tab.page
  }
  afterEach(async () => {
    await tab.done()
    await gateway.close()
  })
  afterAll(() => browser.close())

  test('shows faults that code adds, with their parameters, and removes all', async () => {
    const page = await begin()
    gateway.sandbox.fault({
      route: 'POST /payins/{idPayin}',
      skip: 2,
      times: 3,
      action: { kind: 'rate-limit', retryAfterSecs: 7, as: 'date' },
    })
    gateway.sandbox.callbackFault({ action: { kind: 'late', ms: 5000 } })
    const faults = await openPanel(page, 'Faults', 'Faults 2')
    await faults.getByText('rate-limit at POST /payins/{idPayin}').waitFor()
    await faults.getByText('retryAfterSecs 7 · as date · hit 0 of 3 · skips 2 first').waitFor()
    await faults.getByText('late to any callback').waitFor()
    await faults.getByRole('button', { name: 'Remove all' }).click()
    await faults.getByText('There is none.').waitFor()
    await gateway.payin('order-1')
  })

  test('adds a fault with everything that it can have, and says what is wrong with one', async () => {
    const page = await begin()
    const faults = await openPanel(page, 'Faults')
    await faults.getByRole('combobox', { name: 'What happens' }).selectOption('request/status')
    await faults
      .getByRole('combobox', { name: 'Endpoint', exact: true })
      .selectOption('POST /payins/{idPayin}')
    await faults.getByRole('spinbutton', { name: 'HTTP status' }).fill('503')
    await faults.getByRole('textbox', { name: 'Headers' }).fill('{ "retry-after": 2 }')
    await faults.getByRole('textbox', { name: 'Body' }).fill('{ "code": "BUSY" }')
    await faults.getByRole('checkbox', { name: 'Process the request before' }).check()
    await faults.getByRole('button', { name: 'Add fault', exact: true }).click()
    await faults.getByRole('alert').getByText('must be an object of headers').waitFor()
    // The console says that it was refused.
    tab.complaints.length = 0
    await faults.getByRole('textbox', { name: 'Headers' }).fill('{ "retry-after": "2" }')
    await faults.getByRole('button', { name: 'Add fault', exact: true }).click()
    await page.getByRole('button', { name: 'Faults 1' }).waitFor()
    await expect(gateway.payin('order-1')).rejects.toMatchObject({ status: 503 })
    expect(gateway.sandbox.payins.get('order-1').id).toBe('order-1')
    // Where a kind means nothing, it can't be put.
    await faults.getByRole('combobox', { name: 'What happens' }).selectOption('request/callback-first')
    expect(
      await faults
        .getByRole('combobox', { name: 'Endpoint', exact: true })
        .locator('option')
        .allTextContents(),
    ).toEqual(['Create of a payin or payout', 'POST /payins/{idPayin}', 'POST /payouts/{idPayout}'])
  })

  test.each([1280, 380])(
    'loses the response to the next create, of a payout too, by two clicks: %i px',
    async (width) => {
      await begin()
      const { page, done } = await watched(browser, { width })
      await gateway.payin('order-1')
      await page.goto(`${gateway.url}#/payin/order-1`)
      await page.getByRole('heading', { name: '12.50 EUR' }).waitFor()
      const faults = await openPanel(page, 'Faults')
      await faults.getByRole('button', { name: 'Add fault', exact: true }).click()
      await faults.getByText('drop-after at the create of a payin or payout').waitFor()
      await page.keyboard.press('Escape')
      // It waits, and the payment's screen says so.
      const waiting = page.locator('.pane').getByText('drop-after at the create of a payin or payout')
      await waiting.waitFor()
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await expect(gateway.payout('refund-1')).rejects.toMatchObject({ outcome: 'unknown' })
      await waiting.waitFor({ state: 'detached' })
      expect(gateway.sandbox.payouts.get('refund-1').id).toBe('refund-1')
      await done()
    },
  )

  test('a fault that waits for another payment is not on this one, and can be removed from the one it waits for', async () => {
    const page = await begin()
    await gateway.payin('order-1')
    gateway.sandbox.fault({ route: 'GET /payins/{idPayin}', id: 'order-2', action: { kind: 'timeout' } })
    gateway.sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'timeout' } })
    gateway.sandbox.callbackFault({ kind: 'payin', times: 9, action: { kind: 'twice' } })
    await page.goto(`${gateway.url}#/payin/order-1`)
    await page.getByRole('heading', { name: 'A fault waits', exact: true }).waitFor()
    await page.locator('.pane').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'A fault waits' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Faults 2' }).waitFor()
  })

  test('advances a virtual clock, and a day later a payment that waited is paid', async () => {
    const page = await begin({ clock: 'virtual', startAt: 0, payAfterMs: 20 * HOUR })
    await gateway.payin('order-1')
    const clock = await openPanel(page, 'Clock')
    await clock.getByRole('button', { name: 'Advance time by 1 day' }).click()
    await page.getByText('The time was advanced.').waitFor()
    expect(gateway.sandbox.payins.get('order-1').status).toBe('SUCCESS')
    await clock.getByRole('spinbutton', { name: 'Minutes' }).first().fill('30')
    await clock.getByRole('button', { name: 'Apply: Advance time' }).click()
    await expect.poll(() => gateway.sandbox.clock.now()).toBe(24.5 * HOUR)
    await clock.getByRole('button', { name: 'Set clock ahead by 1 h' }).click()
    await expect.poll(() => gateway.sandbox.clock.now()).toBe(25.5 * HOUR)
    await clock.getByRole('button', { name: 'Remove the skew' }).click()
    await expect.poll(() => gateway.sandbox.clock.now()).toBe(24.5 * HOUR)
  })

  test('revokes tokens and begins anew', async () => {
    const page = await begin()
    await gateway.payin('order-1')
    const reset = await openPanel(page, 'Reset')
    await reset.getByRole('button', { name: 'Revoke all tokens' }).click()
    await page.getByText('All tokens were revoked.').waitFor()
    page.once('dialog', (question) => question.dismiss())
    await reset.getByRole('button', { name: 'Reset…' }).click()
    expect(gateway.sandbox.payins.size).toBe(1)
    page.once('dialog', (question) => question.accept())
    await reset.getByRole('button', { name: 'Reset…' }).click()
    await expect.poll(() => gateway.sandbox.payins.size).toBe(0)
    await page.getByRole('heading', { name: 'Create the first payment' }).waitFor()
  })

  test('creates a payment, and opens it by itself though its response was lost', async () => {
    const page = await begin()
    const create = await openPanel(page, 'Create')
    await create.getByRole('combobox', { name: 'Kind' }).selectOption('payout')
    await create.getByRole('spinbutton', { name: 'Amount' }).fill('99.90')
    await chooseMore(create, 'SANDBOX_ANSWER_LOST')
    await page.getByText('The response was lost. Look the payment up').waitFor()
    await page.getByRole('heading', { name: '99.90 EUR' }).waitFor()
    await create.waitFor({ state: 'hidden' })
    expect(gateway.sandbox.payouts.list()).toMatchObject([{ money: { amount: 99.9, currencyCode: 'EUR' } }])
  })

  test.each([1280, 380])(
    'creates a payment by two clicks, and pays one by hand by three: %i px',
    async (width) => {
      await begin({ payAfterMs: 1000 })
      const { page, done } = await watched(browser, { width })
      await page.goto(gateway.url)
      const click = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).click()
        expect(await violations(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
      }
      await click('Create')
      await click('Customer pays after a second')
      await page.locator('.title').getByText('SUCCESS').waitFor()
      await click('Create')
      await click('I pay by hand')
      await page.locator('.title').getByText('PENDING').waitFor()
      await click('Pay')
      await page.locator('.title').getByText('SUCCESS').waitFor()
      expect(gateway.sandbox.payins.size).toBe(2)
      await done()
    },
  )

  test.each([
    ['It fails', 'FAILED'],
    ['It expires', 'EXPIRED'],
  ])('creates a payout: %s', async (choice, status) => {
    const page = await begin({ payAfterMs: 0 })
    const create = await openPanel(page, 'Create')
    await create.getByRole('combobox', { name: 'Kind' }).selectOption('payout')
    await create.getByRole('button', { name: 'It is paid after 0 ms' }).waitFor()
    await create.getByRole('button', { name: choice }).click()
    await page.locator('.title').getByText(status).waitFor()
    expect(gateway.sandbox.payouts.list()).toMatchObject([{ status }])
  })

  test('keeps what was typed when the panel closes, and all but the id when the payment is created', async () => {
    const page = await begin()
    const create = await openPanel(page, 'Create')
    const typed = async () => [
      await create.getByRole('spinbutton', { name: 'Amount' }).inputValue(),
      await create.getByRole('combobox', { name: 'Currency' }).inputValue(),
      await create.getByRole('textbox', { name: 'Id', exact: true }).inputValue(),
    ]
    await create.getByRole('spinbutton', { name: 'Amount' }).fill('77.70')
    await create.getByRole('combobox', { name: 'Currency' }).selectOption('CZK')
    await create.getByRole('textbox', { name: 'Id', exact: true }).fill('order-7')
    await page.keyboard.press('Escape')
    await create.waitFor({ state: 'hidden' })
    await gateway.payin('order-1')
    await page.locator('.row', { hasText: /order-1/ }).waitFor()
    await openPanel(page, 'Create')
    expect(await typed()).toEqual(['77.70', 'CZK', 'order-7'])
    await create.getByRole('button', { name: 'I pay by hand' }).click()
    await page.getByRole('heading', { name: '77.70 CZK' }).waitFor()
    await openPanel(page, 'Create')
    expect(await typed()).toEqual(['77.70', 'CZK', ''])
  })

  test('sends a create whose request was lost again, under the same id', async () => {
    const page = await begin()
    const create = await openPanel(page, 'Create')
    await create.getByRole('textbox', { name: 'Id' }).fill('order-1')
    await chooseMore(create, 'SANDBOX_REQUEST_LOST')
    await create.getByText('The sandbox holds no payin').waitFor()
    await create.getByRole('button', { name: 'Send it again, same id' }).click()
    await page.getByRole('heading', { name: '10.50 EUR' }).waitFor()
    expect(gateway.sandbox.payins.get('order-1').id).toBe('order-1')
  })

  test('sends a request again under its id, and copies it without a token', async () => {
    const page = await begin()
    await gateway.payin('order-1')
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${gateway.url}#/requests`)
    // Two clicks.
    await page.locator('.row', { hasText: /POST.*order-1/ }).click()
    await page.getByRole('button', { name: 'Send again', exact: true }).click()
    await page.getByText('Sent again under the same id. Response 409').waitFor()
    expect(gateway.sandbox.payins.size).toBe(1)
    expect(await violations(page)).toEqual([])
    const copied = async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByText(`${name}: done.`).waitFor()
      return page.evaluate<string>('navigator.clipboard.readText()')
    }
    expect(await copied('Copy as code')).toContain('client.payins.create({\n  idPayin: "order-1"')
    expect(await copied('Copy the link')).toBe(`${gateway.url}#/request/2`)
  })

  test('is usable by keyboard: Esc closes what is open and nothing behind it, and the focus returns', async () => {
    const page = await begin()
    await gateway.payin('order-1')
    await page.goto(`${gateway.url}#/payin/order-1`)
    await page.getByRole('button', { name: 'Pay', exact: true }).waitFor()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.getByRole('button', { name: 'Clock real' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Clock' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Clock')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Close Clock')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Clock' }).waitFor({ state: 'hidden' })
    expect(await focused()).toContain('Clock')
    expect(page.url()).toMatch(/#\/payin\/order-1$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).toMatch(/#\/$/)
  })

  test.each([
    { width: 1440, dark: false },
    { width: 1440, dark: true },
    { width: 768, dark: false },
    { width: 390, dark: false },
    { width: 390, dark: true },
    { width: 320, dark: false },
  ])(
    'has no axe violation in any panel, and nothing sticks out: $width px, dark: $dark',
    async ({ width, dark }) => {
      await begin({ clock: 'virtual', rateLimit: 10 })
      const { page, done } = await watched(browser, { dark, width, height: 840 })
      await page.goto(gateway.url)
      gateway.sandbox.fault({
        route: 'POST /payins/{idPayin}',
        id: 'a-very-long-id-'.repeat(8),
        action: { kind: 'status', status: 500, body: { message: 'x'.repeat(200) } },
      })
      const cut = `[...document.querySelectorAll('.toolbar-button')].filter((button) => {
        const [own, bar] = [button, button.parentElement].map((part) => part.getBoundingClientRect())
        return own.left < bar.left || own.right > bar.right || own.bottom > bar.bottom || own.right > innerWidth
      }).map((button) => button.textContent)`
      await expect.poll(() => page.evaluate<string[]>(cut)).toEqual([])
      for (const name of ['Create', 'Faults', 'Clock', 'Reset']) {
        const panel = await openPanel(page, name)
        for (const summary of await panel.locator('summary').all()) await summary.click()
        expect(await violations(page), name).toEqual([])
        expect(await overflow(page), name).toBe(0)
        expect(
          await page.evaluate<boolean>(`(() => {
        const { left, right, top, bottom } = document.querySelector('.toolbar-panel:popover-open').getBoundingClientRect()
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
      })()`),
          name,
        ).toBe(true)
        if (process.env.PICTURES)
          await page.screenshot({ path: `${process.env.PICTURES}/${name}-${width}-${dark}.png` })
        await page.keyboard.press('Escape')
        await panel.waitFor({ state: 'hidden' })
      }
      await done()
    },
  )
})

/** What happens to a payment that is created, beyond the first choices. */
async function chooseMore(create: Locator, operatorCode: string) {
  await create.getByText('More', { exact: true }).click()
  await create.getByRole('combobox', { name: 'What else may happen' }).selectOption(operatorCode)
  await create.getByRole('button', { name: 'Create', exact: true }).click()
}

async function openPanel(page: Page, name: string, label = name) {
  await page
    .getByRole('button', { name: new RegExp(`^${label}`) })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name, exact: true })
  await panel.waitFor()
  return panel
}
