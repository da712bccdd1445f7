import { dateTime, field, joined, listIn, moneyText, spanIn, words } from './answers.js'

/** What a sandbox as a whole shows, in lines. */
export function stateLines(state: unknown): string[] {
  return [
    ...clockLines(state).map((line) => `clock     ${line}`),
    ...limiterLines(state).map((line) => `limiter   ${line}`),
    ...balanceLines(state).map((line) => `balances  ${line}`),
    ...shopLines(state).map((line) => `shop      ${line}`),
    ...faultLines(state).map((line, at) => `${at === 0 ? 'faults    ' : '          '}${line}`),
  ]
}

export function clockLines(state: unknown): string[] {
  const skewMs = Number(field(state, 'clock', 'skewMs') ?? 0)
  const wrong = spanIn({ ms: Math.abs(skewMs) }, 'ms')
  const error = skewMs === 0 ? 'right' : `${wrong} ${skewMs > 0 ? 'ahead' : 'behind'}`
  return [joined(words(state, 'clock', 'mode'), dateTime(state, 'clock', 'now'), error)]
}

export function limiterLines(state: unknown): string[] {
  const limit = words(state, 'limiter', 'limit')
  const kind = words(state, 'limiter', 'kind')
  if (limit === '') return [joined(kind, 'no limit')]
  return [joined(kind, `${limit} requests a second`, `${words(state, 'limiter', 'free')} free now`)]
}

export function balanceLines(state: unknown): string[] {
  return [joined(...listIn(state, 'balances').map(moneyText))]
}

export function shopLines(state: unknown): string[] {
  const step = words(state, 'shop', 'step')
  return [
    step === '' ? 'closed' : `${words(state, 'shop', 'done')} of ${words(state, 'shop', 'of')}: ${step}`,
  ]
}

/** A line for each fault that is armed, the newest last; its first word is what `disarm` takes. */
export function faultLines(state: unknown): string[] {
  const faults = listIn(state, 'faults')
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
