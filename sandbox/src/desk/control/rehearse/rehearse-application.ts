import { isLoopbackName } from '../../../gateway/transports/own-address.js'
import { addressProblem, readAct, showsSecret, withCart } from '../../../rehearse/act-text.js'
import type { RehearsalApplication } from '../../../rehearse/application.js'
import { actByHttp, askByHttp } from '../../../rehearse/http.js'
import { leftOut } from '../../../rehearse/shown-text.js'
import { PageRefusal } from '../http/responses.js'
import type { ApplicationOrder } from '../orders.js'

const STATUS_MS = 5000

/**
 * The application that the form of the page describes: HTTP requests to this machine, and nothing else. A command
 * would let a web page start programs.
 *
 * @throws PageRefusal that says what is wrong
 */
export function applicationOf(order: ApplicationOrder): RehearsalApplication {
  for (const [name, text] of Object.entries(order)) checkText(name, text)
  const { status, paid } = order
  const act = readAct(order.act)
  if (act.kind !== 'http') {
    throw new PageRefusal(400, 'The page sends requests only: a method, an address, and perhaps a body.')
  }
  checkAddress(act.url)
  const application: RehearsalApplication = {
    act: (cart, signal) => actByHttp(act, cart, signal),
    actText: order.act,
  }
  if (status === undefined) return application
  checkAddress(status)
  if (paid === undefined) throw new PageRefusal(400, 'Say what the answer contains when the cart is paid.')
  return {
    ...application,
    status: (cart, signal) => askByHttp(status, { paid }, cart, { signal, timeoutMs: STATUS_MS }),
  }
}

/** What is named here is shown to every page that is open. */
function checkText(name: string, text: string): void {
  if (text.includes(leftOut)) throw new PageRefusal(400, `Put in what is left out of ${name}.`)
  if (!showsSecret(text)) return
  throw new PageRefusal(
    400,
    `${name} holds a key or a token itself, and a page is no place for it: name the application on the command line, where a command can take it from the environment.`,
  )
}

function checkAddress(address: string): void {
  const problem = addressProblem(address)
  if (problem === 'no address') throw new PageRefusal(400, 'An address begins with http:// or https://.')
  if (problem === 'password') throw new PageRefusal(400, 'An address holds no password.')
  if (!isLoopbackName(new URL(withCart(address, 1)).hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw new PageRefusal(400, 'The page sends requests to this machine only, such as localhost.')
  }
}
