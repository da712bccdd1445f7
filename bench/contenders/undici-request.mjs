// @ts-check
import { Pool } from 'undici'
import { createHeaders, path, readHeaders, request } from '../payloads.mjs'

/** The same bytes by hand, with nothing checked and nothing decided. @param {string} origin */
export function open(origin) {
  const pool = new Pool(origin)
  return {
    async create() {
      const body = JSON.stringify(request)
      const answer = await pool.request({ method: 'POST', path, headers: createHeaders, body })
      return JSON.parse(await answer.body.text())
    },
    async retrieve() {
      const answer = await pool.request({ method: 'GET', path, headers: readHeaders })
      return JSON.parse(await answer.body.text())
    },
  }
}
