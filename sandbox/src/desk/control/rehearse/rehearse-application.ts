import { isLoopbackName } from '../../../gateway/transports/own-address.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import { type ActText, readAct, showsSecret } from '../../../rehearse/act-text.js'
import type { RehearsalApplication } from '../../../rehearse/application.js'
import { leftOut } from '../../../rehearse/exported-text.js'
import { actByHttp, askByHttp } from '../../../rehearse/http.js'
import { PageRefusal } from '../http/responses.js'

const MOST_LENGTH = 2000
const STATUS_MS = 5000

/**
 * The application that the form of the page describes: HTTP requests to this machine, and nothing else. A command
 * would let a web page start programs.
 *
 * @throws PageRefusal that says what is wrong
 */
export function applicationOf(order: unknown): RehearsalApplication {
  const act = textOf(order, 'act')
  if (act === undefined) throw new PageRefusal(400, 'Say what a customer does.')
  const request = requestOf(act)
  const before = textOf(order, 'before')
  const earlier = before === undefined ? undefined : requestOf(before)
  const status = textOf(order, 'status')
  const paid = textOf(order, 'paid')
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value])
  const application: RehearsalApplication = {
    act: (cart, signal) => actByHttp(request, cart, signal),
    ...(earlier && { before: (cart, signal) => actByHttp(earlier, cart, signal) }),
    args: [
      '--act',
      act,
      ...option('--before', before),
      ...option('--status', status),
      ...option('--paid', paid),
    ],
  }
  if (status === undefined) return application
  ownMachine(status)
  if (paid === undefined) throw new PageRefusal(400, 'Say what the answer contains when the cart is paid.')
  return {
    ...application,
    status: (cart, signal) => askByHttp(status, { paid }, cart, { signal, timeoutMs: STATUS_MS }),
  }
}

function requestOf(text: string): ActText & { readonly kind: 'http' } {
  const read = readAct(text)
  if (read.kind !== 'http') {
    throw new PageRefusal(400, 'The page sends requests only: a method, an address, and perhaps a body.')
  }
  ownMachine(read.url)
  return read
}

function ownMachine(address: string): void {
  const sample = address.replaceAll('{n}', '1')
  const url = URL.canParse(sample) ? new URL(sample) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new PageRefusal(400, 'An address begins with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') throw new PageRefusal(400, 'An address holds no password.')
  if (!isLoopbackName(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw new PageRefusal(400, 'The page sends requests to this machine only, such as localhost.')
  }
}

function textOf(order: unknown, name: string): string | undefined {
  const value = isRecord(order) ? order[name] : undefined
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' && value.length <= MOST_LENGTH) return withoutSecret(name, value)
  throw new PageRefusal(400, `${name} must be a text of up to ${MOST_LENGTH} characters.`)
}

/** What is named here is shown to every page that is open. */
function withoutSecret(name: string, text: string): string {
  if (text.includes(leftOut)) throw new PageRefusal(400, `Put in what is left out of ${name}.`)
  if (!showsSecret(text)) return text
  throw new PageRefusal(
    400,
    `${name} holds a key or a token itself, and a page is no place for it: name the application on the command line, where a command can take it from the environment.`,
  )
}
