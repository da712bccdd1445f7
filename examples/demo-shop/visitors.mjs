// @ts-check
// How often a visitor may ask for what costs a request to the gateway, which takes ten a second of everybody together.
import { Refusal } from './web.mjs'

const windowMs = 60_000
/** More visitors than this are forgotten, the longest unheard of first. */
const most = 10_000

/**
 * @param {number} perMinute
 * @param {() => number} [now] in ms, of a clock that only goes forwards
 */
export function visitorLimit(perMinute, now = () => performance.now()) {
  /** When each visitor has asked within the last minute. @type {Map<string, number[]>} */
  const asked = new Map()

  /** @param {string} visitor @throws {Refusal} in the customer's words */
  return (visitor) => {
    const at = now()
    const recent = (asked.get(visitor) ?? []).filter((time) => at - time < windowMs)
    const isTooMuch = recent.length >= perMinute
    // Last again, so that the first is the longest unheard of.
    asked.delete(visitor)
    asked.set(visitor, isTooMuch ? recent : [...recent, at])
    const [oldest] = asked.keys()
    if (asked.size > most && oldest !== undefined) asked.delete(oldest)
    if (isTooMuch) throw new Refusal(429, 'That was a lot at once. Please wait a minute and try again.')
  }
}
