import { visible } from '../input/visible.js'
import { type Hide, mask } from './mask.js'
import { Search } from './search.js'

/** The end of a callback URL, whoever of the merchant's processes has signed it. */
const signedSegment = /\b[12]\.[\w-]{8}\.pay(?:in|out)\.[\w-]{2,}\.[\w-]{16,}/
/** What is longer is neither looked through nor shown. */
export const longestText = 4096
/** A call has a dozen secrets of some thousand characters; with many more, nothing from outside is shown. */
const mostSecrets = 1000
const mostCharacters = 100_000

/**
 * Shows what came from outside whole, on one line and with nothing in it that does not show; or not at all, where any
 * of these secrets is found in it, or where it can't be looked through.
 */
export function hiding(secrets: readonly string[]): Hide {
  let search: Search | undefined
  return (text) => {
    try {
      if (text.length > longestText || isTooMuch(secrets)) return mask
      search ??= new Search(secrets)
      return search.finds(text) || signedSegment.test(text) ? mask : visible(text)
    } catch {
      // Whatever it is: the text has not been looked through, so none of it is shown.
      return mask
    }
  }
}

function isTooMuch(secrets: readonly string[]): boolean {
  return secrets.length > mostSecrets || secrets.reduce((sum, { length }) => sum + length, 0) > mostCharacters
}
