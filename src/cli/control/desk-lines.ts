import { dateTime, field, joined, listIn, moneyText, spanIn, words } from './answers.js'

/** What the desk of a sandbox shows, in lines. */
export function deskLines(desk: unknown): string[] {
  return [
    ...clockLines(desk).map((line) => `clock     ${line}`),
    ...limiterLines(desk).map((line) => `limiter   ${line}`),
    ...balanceLines(desk).map((line) => `balances  ${line}`),
    ...shopLines(desk).map((line) => `shop      ${line}`),
    ...faultLines(desk).map((line, at) => `${at === 0 ? 'faults    ' : '          '}${line}`),
  ]
}

export function clockLines(desk: unknown): string[] {
  const skewMs = Number(field(desk, 'clock', 'skewMs') ?? 0)
  const wrong = spanIn({ ms: Math.abs(skewMs) }, 'ms')
  const error = skewMs === 0 ? 'right' : `${wrong} ${skewMs > 0 ? 'ahead' : 'behind'}`
  return [joined(words(desk, 'clock', 'mode'), dateTime(desk, 'clock', 'now'), error)]
}

export function limiterLines(desk: unknown): string[] {
  const limit = words(desk, 'limiter', 'limit')
  const kind = words(desk, 'limiter', 'kind')
  if (limit === '') return [joined(kind, 'no limit')]
  return [joined(kind, `${limit} requests a second`, `${words(desk, 'limiter', 'free')} free now`)]
}

export function balanceLines(desk: unknown): string[] {
  return [joined(...listIn(desk, 'balances').map(moneyText))]
}

export function shopLines(desk: unknown): string[] {
  const step = words(desk, 'shop', 'step')
  return [step === '' ? 'closed' : `${words(desk, 'shop', 'done')} of ${words(desk, 'shop', 'of')}: ${step}`]
}

/** A line for each fault that is armed, the newest last; its first word is what `disarm` takes. */
export function faultLines(desk: unknown): string[] {
  const faults = listIn(desk, 'faults')
  return faults.length === 0 ? ['none is armed'] : faults.map(faultLine)
}

function faultLine(fault: unknown): string {
  const place = words(fault, 'place')
  const all = words(fault, 'at') === 'callback' ? 'any callback' : 'any request'
  const id = words(fault, 'id')
  const times = words(fault, 'times')
  const toSkip = Number(field(fault, 'toSkip') ?? 0)
  const probability = Number(field(fault, 'probability') ?? 1)
  const parameters = listIn(fault, 'parameters').map((pair) => (Array.isArray(pair) ? pair.join(' ') : ''))
  return joined(
    `${words(fault, 'key')}  ${words(fault, 'kind')} at ${place === '*' ? all : place}`,
    ...parameters,
    id === '' ? '' : `only ${id}`,
    toSkip === 0 ? '' : `lets ${toSkip} pass first`,
    probability === 1 ? '' : `with a chance of ${probability}`,
    `hit ${words(fault, 'hits')} of ${times === '' ? 'all' : times}`,
  )
}
