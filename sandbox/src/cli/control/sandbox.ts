import { Option } from 'commander'
import { wholeNumber } from '../../../../src/cli/arguments.js'
import { CommandFailed } from '../../../../src/cli/exit-codes.js'
import { httpUrl } from '../../../../src/cli/urls.js'
import { limiterKinds } from '../../gateway/engine/limiter.js'
import type { ControlRequest } from '../sandbox-control.js'
import type { Control, Given } from './spec.js'
import { balanceLines, clockLines, faultLines, limiterLines, shopLines, stateLines } from './state-lines.js'
import { notASpan, signedSpan, span, spanMs } from './values.js'

const look: ControlRequest = { method: 'GET', path: 'state' }
/** On its way a virtual clock waits for every callback to be answered. */
const patienceMs = 120_000

export const show: Control = {
  name: 'show',
  does: 'Print clock, limiter, balances, shop and armed faults.',
  order: () => look,
  lines: stateLines,
}

export const disarm: Control = {
  name: 'disarm',
  does: 'Disarm one fault, or all; then the clock is right, too.',
  args: [['[KEY]', 'of one, such as request-1 (default: all)']],
  order: (_given, [key]) => ({
    method: 'DELETE',
    path: key === undefined ? 'faults' : `faults/${encodeURIComponent(key)}`,
  }),
  lines: faultLines,
}

export const clock: Control = {
  name: 'clock',
  does: 'Move a virtual clock on, or let any clock be wrong.',
  args: [['[MOVE]', 'how far a virtual clock is moved on, such as +1h']],
  options: () => [
    new Option('--wrong <SPAN>', 'ahead by so much; -1h is behind').argParser(signedSpan),
    new Option('--for <SPAN>', 'for how long (default: until it is set right)').argParser(span),
    new Option('--right', 'set it right'),
  ],
  more: '\nSpans: 250ms, 90s, 5min, 2h, 1d. Without any of these it prints the clock.',
  order: clockOrder,
  lines: clockLines,
}

function clockOrder({ wrong, for: forMs, right }: Given, [move]: readonly string[]): ControlRequest {
  const asked = [move, wrong, right].filter((one) => one !== undefined)
  if (asked.length > 1) throw new CommandFailed('give one of MOVE, --wrong and --right.')
  if (forMs !== undefined && wrong === undefined) throw new CommandFailed('--for goes with --wrong.')
  if (move !== undefined) {
    const advanceMs = spanMs(move)
    if (advanceMs === undefined) throw new CommandFailed(`MOVE ${notASpan}`)
    return { method: 'POST', path: 'clock', body: { advanceMs }, patienceMs }
  }
  if (right !== undefined) return { method: 'POST', path: 'clock', body: { skewMs: 0 } }
  if (wrong === undefined) return look
  return { method: 'POST', path: 'clock', body: { skewMs: wrong, ...(forMs === undefined ? {} : { forMs }) } }
}

export const limiter: Control = {
  name: 'limiter',
  does: 'Exchange the limiter; the new one has counted nothing.',
  args: [['[KIND]', limiterKinds.join(', ')]],
  options: () => [
    new Option('--rate-limit <N>', 'requests a second, or off').argParser((text) =>
      text === 'off' ? false : wholeNumber(1, 100_000)(text),
    ),
  ],
  more: '\nWhat is left out stays; without both it prints the limiter.',
  order: ({ rateLimit: limit }, [kind]) => {
    if (kind === undefined && limit === undefined) return look
    if (kind !== undefined && !limiterKinds.some((known) => known === kind)) {
      throw new CommandFailed(`KIND must be one of ${limiterKinds.join(', ')}.`)
    }
    const body = {
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit: limit === false ? null : limit }),
    }
    return { method: 'POST', path: 'limiter', body }
  },
  lines: limiterLines,
}

export const balance: Control = {
  name: 'balance',
  does: "Set one of the merchant's balances, or print all.",
  args: [
    ['[AMOUNT]', 'such as 0 or 12.50'],
    ['[CURRENCY]', 'such as EUR'],
  ],
  order: (_given, [amount, currencyCode]) => {
    if (amount === undefined) return look
    if (!/^-?\d{1,12}(?:\.\d{1,6})?$/.test(amount) || currencyCode === undefined) {
      throw new CommandFailed('give an AMOUNT and a CURRENCY, such as 12.50 EUR.')
    }
    const body = { amount: Number(amount), currencyCode: currencyCode.toUpperCase() }
    return { method: 'POST', path: 'balances', body }
  },
  lines: balanceLines,
}

export const revokeTokens: Control = {
  name: 'revoke-tokens',
  does: 'Refuse every token that was made until now: 401.',
  order: () => ({ method: 'DELETE', path: 'tokens' }),
  lines: () => ['all tokens are revoked'],
}

export const shop: Control = {
  name: 'shop',
  does: 'Play twenty payments of all kinds.',
  options: () => [
    new Option('--callback-url <URL>', 'where their callbacks go').argParser((text) => httpUrl(text).href),
    new Option('--close', 'stop the play at its next step'),
  ],
  order: ({ callbackUrl, close }) =>
    close === true
      ? { method: 'DELETE', path: 'shop', patienceMs }
      : { method: 'POST', path: 'shop', body: callbackUrl === undefined ? {} : { callbackUrl } },
  lines: shopLines,
}

export const idle: Control = {
  name: 'idle',
  does: 'Wait until no callback is under way.',
  options: () => [new Option('--timeout <SPAN>', 'how long at most').argParser(span).default(30_000, '30s')],
  order: ({ timeout }) => ({
    method: 'GET',
    path: 'idle',
    patienceMs: Number(timeout),
    tooLate: 'callbacks are still under way; "control callbacks" prints them.',
  }),
  lines: () => ['no callback is under way'],
}

const parts: Readonly<Record<string, { readonly order: ControlRequest; readonly line: string }>> = {
  all: { order: { method: 'POST', path: 'reset', body: {}, patienceMs }, line: 'the sandbox begins anew' },
  logs: { order: { method: 'DELETE', path: 'requests' }, line: 'the logs are empty' },
}

export const reset: Control = {
  name: 'reset',
  does: 'Forget payments, requests, callbacks and faults.',
  args: [['[PART]', 'all, or logs: requests and callbacks alone (default: all)']],
  more: '\nWhat the clock shows, the limiter and the tokens stay; balances are those of\nthe start.',
  order: (_given, [part = 'all']) => partOf(part).order,
  lines: (_answer, [part = 'all']) => [partOf(part).line],
}

function partOf(name: string) {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (part === undefined) throw new CommandFailed(`PART must be one of ${Object.keys(parts).join(', ')}.`)
  return part
}
