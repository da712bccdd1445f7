import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page of Chromium that keeps book of what must not happen. */
export interface Watched {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and warnings in the console, uncaught exceptions, and what the content policy blocked. */
  readonly complaints: string[]
  /** Where requests went to that left this machine. */
  readonly strangers: string[]
  /** Closes it, and fails when anything of that happened. */
  done(): Promise<void>
}

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly calm?: boolean
}

export async function watched(browser: Browser, look: Look = {}): Promise<Watched> {
  const { width = 1280, height = 900, dark = false, calm = true } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: calm ? 'reduce' : 'no-preference',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol !== 'data:' && hostname !== '127.0.0.1') strangers.push(request.url())
  })
  const done = async () => {
    await context.close()
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] })
  }
  return { page, context, complaints, strangers, done }
}

/** What axe-core finds wrong: the rule, and where. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate<{ id: string; nodes: { target: string[] }[] }[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** How far the page can be scrolled sideways, in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
