import { isRequest, readAct, showsSecret } from './act-text.js'

/** What stands where something was left out. */
export const leftOut = '[left out]'

/** An address without a user, a query and a fragment. A command may leave out the scheme for this machine. */
const plainAddress =
  /^(?:https?:\/\/[^\s/?#@'"]+|(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?)(?:\/[^\s?#@'"]*)?(?=$|[?#'"])/

const isAddress = /^https?:\/\/\S+$/

/**
 * What of an act a page shows: its method, host and path. Everything else may be a secret or a customer's, and nobody can
 * tell: `[left out]` stands for it.
 *
 * @example
 * ```ts
 * shownText('curl -u jane:secret localhost:3000/{n}') // 'localhost:3000/{n} [left out]'
 * ```
 */
export function shownText(text: string): string {
  if (showsSecret(text)) return leftOut
  const act = readAct(text)
  if (act.kind === 'http' || isAddress.test(text)) {
    const { method, url, body } =
      act.kind === 'http' ? act : { method: undefined, url: text, body: undefined }
    const address = addressIn(url)
    const isWhole = address === url && body === undefined
    return [method, address, isWhole ? undefined : leftOut].filter((part) => part !== undefined).join(' ')
  }
  const address = isRequest(act)
    ? act.command
        .split(/\s+['"]?/)
        .map(addressIn)
        .find(Boolean)
    : undefined
  return address === undefined ? leftOut : `${address} ${leftOut}`
}

function addressIn(text: string): string | undefined {
  return plainAddress.exec(text)?.[0]
}
