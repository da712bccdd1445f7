import type { SandboxExchange } from '../index.js'
import { Mask } from '../page/api/mask.js'
import { type Paint, printable } from './text.js'

const mostPath = 200
const mask = new Mask([])

/** One line of `sandbox --log`. A path is masked as on the sandbox's page: ids may be shown, secrets may not. */
export function exchangeLine(exchange: SandboxExchange, paint: Paint): string {
  const { at, method, path, status, meaning, tookMs, fault } = exchangeFacts(exchange)
  const time = new Date(at).toISOString().slice(11, -1)
  const colour = status !== undefined && status < 400 ? 'green' : 'red'
  const shown = paint(colour, status === undefined ? '---' : String(status))
  const met = fault === undefined ? '' : `, fault ${fault}`
  return `${time} ${printable(`${method} ${path}`)} ${shown} ${printable(meaning)}, ${tookMs} ms${met}`
}

export function exchangeFacts({ request, status, meaning, tookMs }: SandboxExchange) {
  const { at, method, path, fault } = request
  return {
    at,
    method: masked(method),
    path: masked(path),
    status,
    meaning: masked(meaning),
    tookMs: Math.round(tookMs),
    fault,
  }
}

function masked(text: string): string {
  const shown = mask.text(text)
  return shown.length > mostPath ? `${shown.slice(0, mostPath)}…` : shown
}
