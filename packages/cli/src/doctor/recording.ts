import { jsonOf } from '../input/values.js'

/** Hands a client's responses on, and keeps the JSON of the last one. */
export interface Recorder {
  readonly fetch: typeof globalThis.fetch
  readonly last: unknown
}

/** @param fetch who sends. */
export function recording(fetch: typeof globalThis.fetch): Recorder {
  let last: unknown
  return {
    get last() {
      return last
    },
    async fetch(input, init) {
      const response = await fetch(input, init)
      last = jsonOf(await response.clone().text())
      return response
    },
  }
}
