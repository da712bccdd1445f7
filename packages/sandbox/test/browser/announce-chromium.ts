import { chromiumPath } from './chromium.js'

/** Skipped tests look like passed ones in most reports, so this says it where nobody can overlook it. */
export function setup(): void {
  if (chromiumPath !== undefined) return
  const message = 'BROWSER TESTS: no Chromium found (CHROMIUM_PATH, /usr/bin/chromium).'
  if (process.env.CI === 'true') throw new Error(`${message} In CI it has to be installed.`)
  const bar = '!'.repeat(90)
  console.warn(
    `\n${bar}\n${message}\nEVERY BROWSER TEST IS SKIPPED. Install it: apt-get install chromium\n${bar}\n`,
  )
}
