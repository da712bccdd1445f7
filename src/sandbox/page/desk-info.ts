import { signal } from '@preact/signals'
import type { CopyPlace } from './copy-text.js'
import { info } from './server.js'

const place = signal<CopyPlace | null>(null)
let isAsked = false

/** Where the gateway is; null until the sandbox has said it. Asked for once. */
export function loadPlace(): CopyPlace | null {
  if (!isAsked) {
    isAsked = true
    void info().then(
      ({ basePath, merchantCode }) => {
        place.value = { origin: location.origin, basePath, merchantCode }
      },
      () => {
        isAsked = false
      },
    )
  }
  return place.value
}
