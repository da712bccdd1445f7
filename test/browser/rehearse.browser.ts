import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.js'
import { type Gateway, openGateway } from './gateway.js'
import { openRehearsedShop, type RehearsedShop } from './rehearsed-shop.js'
import { type Look, overflow, violations, type Watched, watched } from './watched.js'

const lostAnswer = 'The gateway accepts and answers 500, until the customer tries again.'
const played = { timeout: 40_000 }

describe.skipIf(chromiumPath === undefined)('the rehearsals of the sandbox page', () => {
  let browser: Browser
  let gateway: Gateway
  let shop: RehearsedShop
  let tab: Watched

  beforeAll(async () => {
    browser = await launch()
  })
  beforeEach(async () => {
    gateway = await openGateway()
    shop = await openRehearsedShop(gateway)
  })
  afterEach(async () => {
    await tab.done()
    await shop.close()
    await gateway.close()
  })
  afterAll(() => browser.close())

  const begin = async (look: Look = {}) => {
    tab = await watched(browser, look)
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    return tab.page
  }

  async function name(page: Page, { act, status }: { act: string; status: string }): Promise<void> {
    await page.getByRole('textbox', { name: 'What a customer does' }).fill(act)
    await page.getByRole('textbox', { name: 'Where your application says' }).fill(status)
    await page.getByRole('textbox', { name: 'What that answer contains' }).fill('status=SUCCESS')
    await page.getByRole('button', { name: 'Use this application' }).click()
    await page.getByText('The application is named.').waitFor()
  }

  const verdict = (page: Page) => page.locator('#verdict')

  test('leads from a step of a history to the case, and puts the two histories and the verdict side by side', async () => {
    await gateway.payin('order-1')
    shop.makesNewIds = true
    const page = await begin()
    await page.goto(`${gateway.url}#/payin/order-1`)
    const create = page.locator('.step').filter({ hasText: 'POST /payins/order-1' })
    await create.getByRole('link', { name: 'What if this answer had gone wrong?' }).click()
    await page.getByRole('heading', { name: 'What if…' }).waitFor()
    expect(await page.title()).toBe('Rehearse · Sandbox gateway')
    await name(page, shop)
    await page
      .getByRole('heading', { name: 'What could happen to the answer of POST /payins/{idPayin}' })
      .waitFor()
    // What happens to callbacks, or to the whole application, has no place at this step.
    expect(await page.getByRole('button', { name: 'No callback ever comes.' }).count()).toBe(0)
    await page.getByRole('button', { name: lostAnswer }).click()
    await page.getByText('Playing', { exact: false }).first().waitFor()

    await verdict(page).waitFor(played)
    expect(await verdict(page).textContent()).toBe(
      'failed two payments: the application made a new id after the 500',
    )
    const [clean, lost] = await page.locator('.rehearse-two > section').all()
    expect(await clean?.getAttribute('aria-label')).toBe('Nothing goes wrong.')
    expect(await lost?.getAttribute('aria-label')).toBe(lostAnswer)
    expect(await lost?.getByText('500 by the fault').count()).toBe(1)
    const payments = lost?.getByRole('link', { name: /^Open the payin/ })
    expect(await payments?.count()).toBe(2)
    await payments?.first().click()
    await page.locator('#payment').waitFor()
  })

  test('passes a shop that keeps to its id, and both exports are files that say so', async () => {
    const page = await begin()
    await page.goto(`${gateway.url}#/rehearse`)
    await name(page, shop)
    await page.getByRole('button', { name: lostAnswer }).click()
    await verdict(page).waitFor(played)
    expect(await verdict(page).textContent()).toBe('passed one payment, and the application says paid')

    const saved = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ])
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
    }
    const file = await saved('Save as a test for vitest')
    expect(file.name).toBe('rehearsal-error-after.test.mjs')
    expect(file.text).toContain(JSON.stringify(shop.act))
    expect(file.text).toContain('"--cases",\n  "error-after"')
  })

  test('a link shows the result here, and plays it again in another sandbox, once somebody says so', async () => {
    const page = await begin()
    await page.goto(`${gateway.url}#/rehearse`)
    await name(page, shop)
    await page.getByRole('button', { name: lostAnswer }).click()
    await verdict(page).waitFor(played)
    await page.getByRole('button', { name: 'Copy a link' }).click()
    await page.getByText('The link is copied.').waitFor()
    const link = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(new URLSearchParams(link.split('?')[1]).get('act')).toBe(shop.act)

    await page.goto('about:blank')
    await page.goto(link)
    await verdict(page).waitFor()

    const other = await openGateway()
    const otherShop = await openRehearsedShop(other)
    try {
      const hash = link
        .slice(link.indexOf('#'))
        .replaceAll(encodeURIComponent(shop.status), encodeURIComponent(otherShop.status))
      await page.goto(`${other.url}${hash}`)
      const linked = page.getByRole('region', { name: 'A link to a rehearsal' })
      await linked.getByText(lostAnswer).waitFor()
      expect(other.sandbox.requests).toEqual([])
      await linked.getByRole('button', { name: 'Play it here' }).click()
      await verdict(page).waitFor(played)
      expect(await verdict(page).textContent()).toContain('passed')
      expect(other.sandbox.payins.size).toBe(3)
      await page.goto('about:blank')
    } finally {
      await otherShop.close()
      await other.close()
    }
  })

  test('a link to a rehearsal of a command starts nothing, and says what to start', async () => {
    const page = await begin()
    await page.goto(`${gateway.url}#/rehearse?result=1&case=killed`)
    await page.getByText('It was played with an application that is a command').waitFor()
    expect(await page.getByRole('button', { name: 'Play it here' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.goto(`${gateway.url}#/rehearse?case=nothing-like-it`)
    await page.getByRole('alert').getByText('does not have').waitFor()
  })

  test('says what is wrong with an application, and stops what is being played', async () => {
    const page = await begin()
    await page.goto(`${gateway.url}#/rehearse`)
    await page.getByRole('textbox', { name: 'What a customer does' }).fill('rm -rf {n}')
    await page.getByRole('button', { name: 'Use this application' }).click()
    await page.getByText('The page sends requests only').waitFor()
    // The browser itself notes every refusal.
    tab.complaints.length = 0
    await name(page, shop)
    await page.getByRole('button', { name: 'Every answer takes a second more.' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    expect(await page.getByRole('button', { name: lostAnswer }).isEnabled()).toBe(true)
  })

  test.each([
    { width: 1280, height: 900 },
    { width: 1280, height: 900, dark: true },
    { width: 390, height: 844 },
    { width: 390, height: 844, dark: true },
  ])('is accessible and no wider than its window in every state: %o', async (look) => {
    shop.makesNewIds = true
    const page = await begin(look)
    const check = async (state: string) => {
      expect(await violations(page), state).toEqual([])
      expect(await overflow(page), state).toBe(0)
    }
    await page.goto(`${gateway.url}#/rehearse`)
    await page.getByRole('textbox', { name: 'What a customer does' }).waitFor()
    await check('nothing named')
    await name(page, shop)
    await check('named')
    await page.getByRole('button', { name: lostAnswer }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await check('playing')
    await verdict(page).waitFor(played)
    await check('failed')
  })
})
