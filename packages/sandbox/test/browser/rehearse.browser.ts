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
    shop = await openRehearsedShop()
    gateway = shop.gateway
  })
  afterEach(async () => {
    await tab.done()
    await gateway.close()
  })
  afterAll(() => browser.close())

  const begin = async (look: Look = {}) => {
    tab = await watched(browser, look)
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    return tab.page
  }

  const verdict = (page: Page) => page.locator('[role=status] #verdict')

  test('leads from a step of a history to the case, and puts the two histories and the verdict side by side', async () => {
    await gateway.payin('order-1')
    shop.makesNewIds = true
    const page = await begin()
    await page.goto(`${gateway.url}#/payin/order-1`)
    const create = page.locator('.step').filter({ hasText: 'POST /payins/order-1' })
    await create.getByRole('link', { name: 'What if this answer had gone wrong?' }).click()
    await page.getByRole('heading', { name: 'What if…' }).waitFor()
    expect(await page.title()).toBe('Rehearse · Sandbox gateway')
    await page
      .getByRole('heading', { name: 'What could happen to the answer of POST /payins/{idPayin}' })
      .waitFor()
    // What happens to callbacks, or to the whole application, has no place at this step.
    expect(await page.getByRole('button', { name: 'No callback ever comes.' }).count()).toBe(0)
    await page.getByRole('button', { name: lostAnswer }).click()
    await page.getByText('Playing', { exact: false }).first().waitFor()

    await verdict(page).waitFor(played)
    expect(await verdict(page).textContent()).toBe(
      'wrong two payments: the application made a new id after the 500',
    )
    await page.getByText('Likely cause: a broken rule. A cart has one payment id').waitFor()
    await page.getByRole('figure', { name: 'How to fix it' }).getByText('cart is a unique key').waitFor()
    const [clean, lost] = await page.locator('.rehearse-two > section').all()
    expect(await clean?.getAttribute('aria-label')).toBe('Nothing goes wrong.')
    expect(await lost?.getAttribute('aria-label')).toBe(lostAnswer)
    expect(await lost?.getByText('500 by the fault').count()).toBe(1)
    const payments = lost?.getByRole('link', { name: /^Open the payin/ })
    expect(await payments?.count()).toBe(2)
    await payments?.first().click()
    await page.locator('#payment').waitFor()
  })

  test('calls a shop right that keeps to its id', async () => {
    const page = await begin()
    await page.goto(`${gateway.url}#/rehearse`)
    await page.getByRole('button', { name: lostAnswer }).click()
    await verdict(page).waitFor(played)
    expect(await verdict(page).textContent()).toBe('right one payment, and the application says paid')
  })

  test('plays all, shows how far it is, and marks each case with its verdict, which leads to its history', async () => {
    shop.makesNewIds = true
    const page = await begin()
    await page.goto(`${gateway.url}#/rehearse`)
    await page.getByRole('button', { name: 'Play all' }).click()
    await page.getByText(/^Playing 1 of \d+:/).waitFor()
    const marks = page.locator('.rehearse-cases a')
    await marks.nth(1).waitFor(played)
    await page.getByText(/^Playing 3 of \d+:/).waitFor()
    expect(Number(await page.getByRole('progressbar').getAttribute('value'))).toBe(2)
    expect(await page.locator('.rehearse-cases li').first().textContent()).toMatch(
      /^Nothing goes wrong\. right/,
    )
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    // The first case of the list: the newest result is another one.
    const first = page.locator('.rehearse-cases li').nth(1)
    const title = (await first.getByRole('button').textContent()) ?? ''
    await first.getByRole('link', { name: /^wrong two payments/ }).click()
    await page.locator('.rehearse-two').getByRole('region', { name: title }).waitFor()
    await page.reload()
    await page.locator('.rehearse-two').getByRole('region', { name: title }).waitFor()
    expect(await verdict(page).textContent()).toMatch(/^wrong two payments/)
    expect(await violations(page)).toEqual([])
  })

  test('says where an application is named, and stops what is being played', async () => {
    const page = await begin()
    const nobody = await openGateway()
    await page.goto(`${nobody.url}#/rehearse`)
    await page.getByText('A web page starts no programs').waitFor()
    expect(await page.getByRole('button', { name: lostAnswer }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.goto(`${gateway.url}#/rehearse`)
    await nobody.close()
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
    await page.getByRole('button', { name: lostAnswer }).waitFor()
    await check('named')
    await page.getByRole('button', { name: lostAnswer }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await check('playing')
    await verdict(page).waitFor(played)
    await check('failed')
  })
})
