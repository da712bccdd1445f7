import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const { CHROMIUM_PATH } = process.env
const places =
  CHROMIUM_PATH === undefined ? ['/usr/bin/chromium', '/usr/bin/chromium-browser'] : [CHROMIUM_PATH]

/** Where Chromium is, or undefined where there is none. Debian and Ubuntu: `apt-get install chromium`. */
export const chromiumPath = places.find((place) => existsSync(place))

/** Chromium without what it does for itself on the network. */
export function launch(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium.')
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Whatever asks for another machine gets no address, and shows up as an error.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
}
