import { Option } from 'commander'
import { someText } from '../../../../src/cli/arguments.js'
import { CommandFailed } from '../../../../src/cli/exit-codes.js'
import { routeNames } from '../../gateway/wire/routes.js'
import { words } from './answers.js'
import { deliveryLines, detailLines, requestLines } from './request-lines.js'
import { type Control, type Given, picked } from './spec.js'
import { routeOption } from './values.js'
import { windowOptions, windowQuery } from './window.js'

const payment = () => [
  new Option('--payin <ID>', 'only about this payin').argParser(someText),
  new Option('--payout <ID>', 'only about this payout').argParser(someText),
]

function paymentOf({ payin, payout }: Given): string | undefined {
  if (payin !== undefined && payout !== undefined) throw new CommandFailed('give --payin or --payout.')
  if (payin !== undefined) return `payin/${payin}`
  return payout === undefined ? undefined : `payout/${payout}`
}

export const requests: Control = {
  name: 'requests',
  does: 'Print the requests, or one in full, secrets masked.',
  args: [['[NUMBER]', 'of the one that is wanted in full']],
  options: () => [
    ...payment(),
    new Option('--kind <KIND>', 'only these').choices(['tokens', 'payins', 'payouts', 'info', 'other']),
    new Option('--result <RESULT>', 'only these').choices(['ok', 'refused', 'failed', 'unanswered']),
    routeOption(['*', ...routeNames]),
    new Option('--faults', 'only those that met a fault'),
    new Option('--search <TEXT>', 'only those that show these words'),
    ...windowOptions(),
  ],
  order: (given, [number]) => {
    if (number !== undefined) return { method: 'GET', path: `requests/${encodeURIComponent(number)}` }
    const { kind, result: status, route, search } = given
    const fault = given.faults === true ? 'yes' : undefined
    const filters = { kind, status, route, search, fault, payment: paymentOf(given) }
    return { method: 'GET', path: `requests?${windowQuery(given, filters)}` }
  },
  lines: (answer, [number]) => (number === undefined ? requestLines(answer) : detailLines(answer)),
}

export const callbacks: Control = {
  name: 'callbacks',
  does: 'Print the callbacks, each try a line.',
  options: () => [...payment(), new Option('--failed', 'only those without a 2xx'), ...windowOptions()],
  order: (given) => {
    const failed = given.failed === true ? 'yes' : undefined
    return { method: 'GET', path: `deliveries?${windowQuery(given, { failed, payment: paymentOf(given) })}` }
  },
  lines: deliveryLines,
}

export const resend: Control = {
  name: 'resend',
  does: 'Send a request again, as it was or otherwise.',
  args: [['<NUMBER>', 'its number in the list of requests']],
  options: () => [
    new Option('--path <PATH>', 'to another path').argParser(someText),
    new Option('--body <JSON>', 'with another body; what is masked stays as it was'),
  ],
  more: '\nToken and signature are made anew where it had one.',
  order: (given, [number = '']) => ({
    method: 'POST',
    path: `requests/${encodeURIComponent(number)}/resend`,
    body: picked(given, 'path', 'body'),
    patienceMs: 30_000,
  }),
  lines: (answer) => [
    `${words(answer, 'number') === '' ? '' : `request ${words(answer, 'number')}: `}${words(answer, 'message')}`,
  ],
}
