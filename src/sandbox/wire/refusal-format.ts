import type { Answer } from './response.js'

/**
 * What the body of a refusal is, a gap of section 7: `{ code, message }`, a list of errors with `code` and
 * `detail`, or nothing.
 */
export type ErrorFormat = 'code' | 'errors' | 'none'

/** What goes out of an answer. Where errors say nothing, their headers say only when to come again. */
export function shown(answer: Answer, format: ErrorFormat): Pick<Answer, 'body' | 'headers'> {
  const { refusal, body, headers = {} } = answer
  if (refusal === undefined) return { body, headers }
  const { code, message } = refusal
  if (format === 'code') return { body: { code, message }, headers }
  if (format === 'errors') return { body: { errors: [{ code, detail: message }] }, headers }
  const { 'retry-after': again } = headers
  return { body: '', headers: again === undefined ? {} : { 'retry-after': again } }
}
