import { Option } from 'commander'
import { someText, wholeNumber } from '../../../../src/cli/arguments.js'
import { CommandFailed } from '../../../../src/cli/exit-codes.js'
import { httpUrl } from '../../../../src/cli/urls.js'
import { field, words } from './answers.js'
import { historyLines, paymentLines } from './payment-lines.js'
import { type Control, type Given, picked } from './spec.js'
import { span } from './values.js'
import { windowOptions, windowQuery } from './window.js'

const payout = () => new Option('--payout', 'it is a payout, and no payin')

/** Where a payment is, below the sandbox's API. */
function placeOf(given: Given, id = ''): string {
  return `payments/${given.payout === true ? 'payout' : 'payin'}/${encodeURIComponent(id)}`
}

export const create: Control = {
  name: 'create',
  does: 'Create a payment, as the page does.',
  args: [
    ['<AMOUNT>', 'such as 12.50; magic amounts do what they do to anybody'],
    ['<CURRENCY>', 'such as EUR'],
  ],
  options: () => [
    new Option('--payout', 'a payout in place of a payin'),
    new Option('--id <ID>', 'its id (default: a new one)').argParser(someText),
    new Option('--operator <CODE>', 'payment operator (default: the first)').argParser(someText),
    new Option('--callback-url <URL>', 'its callbackUrl').argParser((text) => httpUrl(text).href),
  ],
  order: (given, [amount = '', currencyCode = '']) => {
    if (!/^\d{1,12}(?:\.\d{1,6})?$/.test(amount))
      throw new CommandFailed('AMOUNT must be a number, such as 12.50.')
    const kind = given.payout === true ? 'payout' : 'payin'
    const money = { amount: Number(amount), currencyCode: currencyCode.toUpperCase() }
    const body = { kind, ...money, ...picked(given, 'id', 'operator', 'callbackUrl') }
    return { method: 'POST', path: 'create', body, patienceMs: 30_000 }
  },
  lines: (answer) => [`${words(answer, 'kind')} ${words(answer, 'id')}: ${words(answer, 'message')}`],
  isRefused: (answer) => field(answer, 'held') !== true,
}

export const settle: Control = {
  name: 'settle',
  does: 'Give a payment a status.',
  args: [
    ['<ID>', "the merchant's id of the payment"],
    ['<STATUS>', 'SUCCESS, FAILED, EXPIRED, or any other'],
  ],
  options: () => [
    payout(),
    new Option(
      '--processed <WHETHER>',
      'whether it shows processedAt (default: as the status has it)',
    ).choices(['yes', 'no']),
  ],
  order: (given, [id, status]) => {
    const { processed } = given
    const body = { status, ...(processed === undefined ? {} : { processed: processed === 'yes' }) }
    return { method: 'POST', path: `${placeOf(given, id)}/settle`, body }
  },
  lines: (answer, [id]) => [`${id} is ${words(answer, 'status')}`],
}

export const callback: Control = {
  name: 'callback',
  does: 'Send the callback of a payment again, in any form.',
  args: [['<ID>', "the merchant's id of the payment"]],
  options: () => [
    payout(),
    new Option('--method <METHOD>', 'HTTP method (default: POST)'),
    new Option('--body <TEXT>', "what it carries (default: as the sandbox's own)"),
    new Option('--content-type <TYPE>', 'of the body (default: application/json)'),
    new Option('--chunks <N>', 'in so many pieces').argParser(wholeNumber(1, 1000)),
    new Option('--chunk-gap-ms <SPAN>', 'between two pieces').argParser(span),
    new Option('--times <N>', 'how often, at once (default: 1)').argParser(wholeNumber(1, 1000)),
    new Option('--after-ms <SPAN>', 'so much later, with the content of now').argParser(span),
  ],
  order: (given, [id]) => ({
    method: 'POST',
    path: `${placeOf(given, id)}/callback`,
    body: picked(given, 'method', 'body', 'contentType', 'chunks', 'chunkGapMs', 'times', 'afterMs'),
  }),
  lines: (_answer, [id]) => [`a callback about ${id} is sent`],
}

export const payments: Control = {
  name: 'payments',
  does: 'Print the payments, or the history of one.',
  args: [['[ID]', 'of the one whose history is wanted']],
  options: () => [
    new Option('--payout', 'ID is that of a payout'),
    new Option('--search <TEXT>', 'those that show these words, such as FAILED or 12.50'),
    ...windowOptions(),
  ],
  order: (given, [id]) => ({
    method: 'GET',
    path:
      id === undefined
        ? `payments?${windowQuery(given, { search: given.search, runs: 'no' })}`
        : placeOf(given, id),
  }),
  lines: (answer, [id]) => (id === undefined ? paymentLines(answer) : historyLines(answer)),
}
