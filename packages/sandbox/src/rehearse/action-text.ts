export interface HttpAction {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
}

/** An action as somebody writes it: an HTTP request, or a command of a shell. */
export type ActionText =
  | ({ readonly kind: 'http' } & HttpAction)
  | { readonly kind: 'command'; readonly command: string }

export function withOrder(text: string, order: number): string {
  return text.replaceAll('{n}', String(order))
}

/** Such as `POST http://localhost:3000/orders/{n}`, or with a body `POST http://localhost:3000/orders {"order":{n}}`. */
const request = /^(?:(GET|POST|PUT|PATCH|DELETE)\s+)?(https?:\/\/\S+)(?:\s+(\S[\s\S]*))?$/

/** An address makes a request, a POST where it names no method; anything else is a command. */
export function readAction(text: string): ActionText {
  const trimmed = text.trim()
  const [, method = 'POST', url, body] = request.exec(trimmed) ?? []
  return url === undefined ? { kind: 'command', command: trimmed } : { kind: 'http', method, url, body }
}

/** curl says with its exit code that a request failed only with --fail: each curl of the command gets it. */
export function commandFor(command: string, order: number): string {
  const curl = /(?<=^|[;&|]\s*)curl(?=\s)(?!(?:(?!&&)[^;|])*\s(?:-f|--fail)\b)/g
  return withOrder(command, order).replaceAll(curl, 'curl --fail --show-error')
}

/** How a command has ended. curl's exit code 22 stands for a status of 400 or above, which it prints. */
export function endOf(code: number | undefined, printed: string): string {
  if (code === undefined) return 'killed'
  const status = code === 22 ? /^curl: \(22\) .*returned error: (\d{3})/m.exec(printed)?.[1] : undefined
  return status === undefined ? `exit code ${code}` : `answered ${status}`
}

/** Whether an action asks an application that runs already, and is not the application itself. */
export function isRequest(action: ActionText): boolean {
  return action.kind === 'http' || /^(?:curl|wget|https?|xh)\s/.test(action.command)
}

/** Where an action or an address leads: a host and a port of this machine; undefined when none is named. */
export function hostOf(text: string): { readonly host: string; readonly port: number } | undefined {
  const found =
    /(?:^|[\s'"/])(?:(https?):\/\/)?(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::(\d{1,5}))?(?=[\s'"/?#]|$)/.exec(
      text,
    )
  if (found === null) return undefined
  const [, scheme, host = '', port] = found
  if (port === undefined && scheme === undefined) return undefined
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? (scheme === 'https' ? 443 : 80)) }
}

/** What is wrong with an address in which `{n}` may stand; undefined when nothing is. */
export function addressProblem(text: string): 'no address' | 'password' | undefined {
  const sample = withOrder(text, 1)
  const url = URL.canParse(sample) ? new URL(sample) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'no address'
  return url.username === '' && url.password === '' ? undefined : 'password'
}

const holdsSecret = /-----BEGIN |\beyJ[\w-]{8,}\.|\bbearer\s+(?!\$|\{)[\w.~+/-]{8,}/i

export function showsSecret(text: string): boolean {
  return holdsSecret.test(text)
}
