// @ts-check
import { createHeaders, path, readHeaders, request } from '../payloads.mjs'

/** The same bytes by Node's own fetch. @param {string} origin */
export function open(origin) {
  const url = origin + path
  return {
    async create() {
      const body = JSON.stringify(request)
      const answer = await fetch(url, { method: 'POST', headers: createHeaders, body })
      return JSON.parse(await answer.text())
    },
    async retrieve() {
      const answer = await fetch(url, { headers: readHeaders })
      return JSON.parse(await answer.text())
    },
  }
}
