import { expect, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../../packages/sandbox/src/index.js'
import {
  CallbackReceiver,
  type CallbackReceiverOptions,
  type CatchUpOptions,
} from '../../../src/callbacks/index.js'
import { GatewayClient } from '../../../src/client/client.js'
import {
  type CallOptions,
  checkCallOptions,
  checkWaitOptions,
  type WaitOptions,
} from '../../../src/client/input/call-options.js'
import type { ClientOptions } from '../../../src/client/options.js'
import { prepareCreate } from '../../../src/client/payments/requests.js'
import type {
  ShareableTokenInput,
  TokenByActionInput,
  TokenByOperationsInput,
} from '../../../src/client/resources/auth-tokens.js'
import type { BalancesInput } from '../../../src/client/resources/balances.js'
import type { CustomRequest } from '../../../src/client/resources/custom-request.js'
import type { PayinCreateInput } from '../../../src/client/schemas/payins.js'
import { caught } from '../../support/caught.js'
import { testClient } from '../../support/gateway.js'
import { privatePem } from '../../support/vectors.js'

/** For every name of an interface what is wrong there, and the whole sentence that somebody reads about it. */
type Sentences<O> = {
  readonly [Name in keyof Required<O>]: readonly (readonly [wrong: unknown, sentence: string])[]
}

const client: ClientOptions = {
  baseUrl: 'https://gateway.example',
  merchantCode: 'M-0001',
  privateKey: privatePem,
}
const receiver: CallbackReceiverOptions = {
  client: {
    account: 'ACCOUNT',
    attachCallbacks: () => {
      const lookUp = () => expect.fail('nothing is looked up')
      const lookUps = { lookUp, seen: () => undefined }
      return { payin: lookUps, payout: lookUps, isFinal: () => true, statusOf: () => undefined }
    },
  },
  publicUrl: 'https://shop.example/gateway/callbacks',
  secrets: ['current-secret-of-32-bytes-or-more'],
  onPayin: () => undefined,
}
const operations = ['GET /reports']

/** Several that are wrong in the same way. */
function each(wrong: readonly unknown[], sentence: string): (readonly [unknown, string])[] {
  return wrong.map((one) => [one, sentence])
}

const request: CustomRequest & { response?: never } = { method: 'GET', path: '/reports', operations }
const payin: PayinCreateInput = {
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
}
const byAction: TokenByActionInput = { action: 'PAYIN_INFO', idPayment: 'a' }
const shareable: ShareableTokenInput = { idPayin: 'a', validitySecs: 60 }

function reconciled(options: CatchUpOptions): Promise<unknown> {
  return new CallbackReceiver(receiver).catchUp([], options).next()
}

const ofClient: Sentences<ClientOptions> = {
  baseUrl: [
    ...each(
      ['gateway.example', '/api', '', 5, {}],
      'baseUrl must be an absolute URL such as "https://gateway.example/api".',
    ),
    [undefined, 'baseUrl is missing; it must be an absolute URL such as "https://gateway.example/api".'],
    [
      'http://gateway.example',
      'baseUrl is plain http, which shows tokens to everybody on the way: use https (or allowInsecureHttp).',
    ],
    ['ftp://gateway.example', 'baseUrl must be https (plain http on this machine only).'],
    [
      'https://me:secret@gateway.example',
      'baseUrl must not hold a user name or a password: tokens authenticate.',
    ],
    ['https://gateway.example/?a=1', 'baseUrl must not have a query or a fragment: give the address alone.'],
  ],
  merchantCode: [
    ['', 'merchantCode must be a text that is not empty, and no key.'],
    [undefined, 'merchantCode is missing; it must be a text that is not empty, and no key.'],
  ],
  privateKey: [
    [5, 'privateKey must be PEM text or a KeyObject.'],
    [
      undefined,
      'privateKey is missing; give privateKey or signer ("npx merchant-gateway keygen" makes a key).',
    ],
    [
      'key',
      'privateKey is not PEM: it must start with "-----BEGIN PRIVATE KEY-----" or similar (the text of the file, not its path).',
    ],
  ],
  privateKeyPassphrase: [[5, 'privateKeyPassphrase must be a text.']],
  signer: [
    ...each(
      [{}, 'x', () => 1, null, { sign: 1 }],
      'signer must be an object with a method sign(bytes), which gives the signature as bytes.',
    ),
    [{ sign: () => new Uint8Array() }, 'signer and privateKey exclude each other; give one.'],
  ],
  merchantSecret: [['', 'merchantSecret must be a text that is not empty.']],
  tokens: [['shared', 'tokens must be "per-family" or "per-payment".']],
  tokenValiditySecs: each(
    [0, -1, 1.5, '900', Number.NaN, Number.POSITIVE_INFINITY],
    'tokenValiditySecs must be a whole number, 1 or more.',
  ),
  tokenCache: [[{}, 'tokenCache must be an object with the methods get and set.']],
  tokenField: [['', 'tokenField must be a text that is not empty.']],
  timestampUnit: [['ms', 'timestampUnit must be "seconds" or "milliseconds".']],
  operations: each(
    [{ refunds: ['GET /x'] }, { payins: [] }, { payins: 'GET /x' }, { payins: ['/x'] }, [], 'GET /x', null],
    'operations must be lists of operations for payins, payouts or account, such as { payouts: ["POST /payouts/.*"] }.',
  ),
  customerAccountPath: each(
    [
      'payins/{idPayin}',
      '/payins',
      '//evil.example/{idPayin}',
      'https://evil.example/{idPayin}',
      '/\\evil.example/{idPayin}',
      '/payins/{idPayin}?x=1',
      '/payins/{idPayin}#x',
      '/payins/../{idPayin}',
      '/x/{foo}/{idPayin}',
      '/a b/{idPayin}',
      '',
      5,
    ],
    'customerAccountPath must be a path that starts with "/" and holds {idPayin} once, such as "/payins/{idPayin}/account", without a query and without dots as segments.',
  ),
  statuses: [
    ...each(
      ['SUCCESS', [], null],
      'statuses must be an object such as {"paid":["COMPLETED"],"final":["FAILED"]}.',
    ),
    [
      { payed: ['COMPLETED'] },
      'statuses.payed is not an option of statuses; the options are field, processedAtField, paid, final; did you mean paid?',
    ],
    [{ field: 'process..status' }, 'statuses.field must be a place such as "state" or "process.status".'],
    [
      { processedAtField: '' },
      'statuses.processedAtField must be a place such as "state" or "process.status".',
    ],
    ...each(
      [{ paid: 'COMPLETED' }, { paid: [''] }, { paid: [5] }, { paid: ['X'.repeat(65)] }, { paid: ['PAID '] }],
      'statuses.paid must be a list of statuses, texts of 1 to 64 characters such as ["COMPLETED"].',
    ),
  ],
  live: [['true', 'live must be true or false.']],
  maxIdLength: [[0, 'maxIdLength must be a whole number, 1 or more.']],
  timeoutMs: each(
    [0, -1, 0.5, '5000', Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY, null],
    'timeoutMs must be a number of milliseconds from 1 to 2147483647.',
  ),
  deadlineMs: [['5000', 'deadlineMs must be a number of milliseconds from 1 to 2147483647.']],
  retries: each([-1, 1.5, '4', Number.POSITIVE_INFINITY, null], 'retries must be a whole number, 0 or more.'),
  rateLimit: each(
    [
      0,
      -1,
      0.0001,
      Number.NaN,
      true,
      '10',
      {},
      { acquire: 5 },
      null,
      { requestsPerSecond: 0 },
      { counted: 'in-windows' },
      { requestsPerSecond: 10, counted: 'evenly' },
      { requestsPerSecond: 10, burst: 5 },
      Object.create({ requestsPerSecond: 10 }),
    ],
    'rateLimit must be a number of requests a second from 0.001 on, { requestsPerSecond, counted } with counted "in-windows" or "evenly-spaced", false, or a limiter with a method acquire(signal).',
  ),
  maxQueued: [[0, 'maxQueued must be a whole number, 1 or more.']],
  maxResponseBytes: [['1 MB', 'maxResponseBytes must be a whole number, 1 or more.']],
  fetch: [['fetch', 'fetch must be a function such as the global fetch.']],
  dispatcher: each([{}, 'x', () => 1], 'dispatcher must be an undici dispatcher, such as new Agent().'),
  allowInsecureHttp: each(['true', 1, null], 'allowInsecureHttp must be true or false.'),
  logger: [[{}, 'logger must be an object with the methods debug, info, warn and error.']],
  slowCallMs: [[0, 'slowCallMs must be a number of milliseconds from 1 to 2147483647.']],
  now: [[5, 'now must be a function that returns milliseconds since 1970.']],
}

const ofReceiver: Sentences<CallbackReceiverOptions> = {
  wake: [[true, 'wake must be a function that takes { idPayin } or { idPayout }.']],
  client: [
    [{}, 'client must be a GatewayClient.'],
    [undefined, 'client is missing; it must be a GatewayClient.'],
  ],
  publicUrl: [
    ['/callbacks', 'publicUrl must be an absolute URL such as "https://shop.example/gateway/callbacks".'],
    [
      undefined,
      'publicUrl is missing; it must be an absolute URL such as "https://shop.example/gateway/callbacks".',
    ],
    [
      'http://shop.example',
      'publicUrl must be https: whoever reads the URL on its way can call it (allowInsecureHttp allows plain http).',
    ],
    ['https://shop.example/?a=1', 'publicUrl must not have a user name, a query or a fragment.'],
  ],
  secrets: [
    [
      [],
      'secrets are missing; set GATEWAY_CALLBACK_SECRET or give the option; "openssl rand -hex 32" makes one.',
    ],
    ['secret', 'secrets must be a list of texts or bytes, the one that signs first.'],
    [['short'], 'secrets must each have at least 32 bytes; "openssl rand -hex 32" makes one.'],
    [[undefined], 'secrets must hold texts or bytes, and one is undefined; is its variable set?'],
    [
      ['x'.repeat(32)],
      'secrets must each be random, and one has fewer than 8 different bytes; "openssl rand -hex 32" makes one.',
    ],
  ],
  environment: [['a b', 'environment must be a name of letters, digits, dots, dashes and underscores.']],
  previousPublicUrls: [
    [['/callbacks'], 'previousPublicUrls must be a list of absolute URLs.'],
    [['ftp://shop.example'], 'previousPublicUrls must be https, or plain http.'],
  ],
  onPayin: [['yes', 'onPayin must be a function that takes a payin.']],
  onPayout: [[{}, 'onPayout must be a function that takes a payout.']],
  onError: [[1, 'onError must be a function that takes an error.']],
  dedupe: [[{}, 'dedupe must be an object with the methods get and set.']],
  lookupDeadlineMs: [[0, 'lookupDeadlineMs must be a number of milliseconds from 1 to 2147483647.']],
  functionTimeoutMs: [['30s', 'functionTimeoutMs must be a number of milliseconds from 1 to 2147483647.']],
  dedupeTimeoutMs: [['30s', 'dedupeTimeoutMs must be a number of milliseconds from 1 to 2147483647.']],
  maxPending: [[1.5, 'maxPending must be a whole number, 1 or more.']],
  allowInsecureHttp: [['yes', 'allowInsecureHttp must be true or false.']],
}

const ofSandbox: Sentences<SandboxOptions> = {
  strictness: [['strict', 'createSandbox: the option strictness must be "specification" or "generous".']],
  mistakes: [
    ['strict', 'createSandbox: the option mistakes must be "by-specification", "refuse" or "note".'],
  ],
  payinMethods: [
    [[''], 'createSandbox: the option payinMethods must be a list of codes of payment methods.'],
  ],
  merchantCode: [['', 'createSandbox: the option merchantCode must be a text that is not empty.']],
  merchantSecret: [[7, 'createSandbox: the option merchantSecret must be a text that is not empty.']],
  publicKeys: [
    [
      ['key'],
      'createSandbox: the option publicKeys must be a list of public RSA keys, each a PEM or a KeyObject.',
    ],
  ],
  privateKey: [
    ['key', 'createSandbox: the option privateKey must be a private RSA key, a PEM or a KeyObject.'],
  ],
  timestampUnit: [['ms', 'createSandbox: the option timestampUnit must be "seconds" or "milliseconds".']],
  timestampToleranceSecs: [
    [-1, 'createSandbox: the option timestampToleranceSecs must be a number of seconds, 0 or more.'],
  ],
  replay: [['never', 'createSandbox: the option replay must be "allow" or "refuse".']],
  tokenField: [[null, 'createSandbox: the option tokenField must be a text that is not empty.']],
  tokenFormat: [['xml', 'createSandbox: the option tokenFormat must be "json", "json-string" or "text".']],
  maxValiditySecs: [[0, 'createSandbox: the option maxValiditySecs must be a whole number, 1 or more.']],
  payinStatusIn: [['body', 'createSandbox: the option payinStatusIn must be "process" or "top".']],
  errorFormat: [['xml', 'createSandbox: the option errorFormat must be "code", "errors" or "none".']],
  customerAccountPath: [
    [
      '/account',
      'createSandbox: the option customerAccountPath must be a path with exactly one {idPayin}, such as /payins/{idPayin}/customer-account.',
    ],
  ],
  basePath: [
    [
      '/api/',
      'createSandbox: the option basePath must be a path such as /api, that begins with / and does not end with one.',
    ],
  ],
  rateLimit: [
    [
      0,
      'createSandbox: the option rateLimit must be a whole number of requests a second, from 1 to 100000, or false.',
    ],
  ],
  limiter: [
    [
      'leaky',
      'createSandbox: the option limiter must be one of sliding-window, fixed-window, token-bucket, evenly-spaced.',
    ],
  ],
  retryAfter: [[true, 'createSandbox: the option retryAfter must be "seconds", "date" or false.']],
  pendingAfterMs: [
    [-1, 'createSandbox: the option pendingAfterMs must be a number of milliseconds, 0 or more.'],
  ],
  payAfterMs: [
    ['1000', 'createSandbox: the option payAfterMs must be a number of milliseconds, 0 or more, or false.'],
  ],
  payJitterMs: [[-1, 'createSandbox: the option payJitterMs must be a number of milliseconds, 0 or more.']],
  expireAfterMs: [
    [-1, 'createSandbox: the option expireAfterMs must be a number of milliseconds, 0 or more.'],
  ],
  magicAmounts: [
    [{}, 'createSandbox: the option magicAmounts must be a list of objects with an amount.'],
    [[1], 'createSandbox: the option magicAmounts[0] must be an object with an amount.'],
  ],
  clock: [['fake', 'createSandbox: the option clock must be "real" or "virtual".']],
  startAt: [['now', 'createSandbox: the option startAt must be milliseconds since 1970, or a Date.']],
  seed: [[{}, 'createSandbox: the option seed must be a number or a text.']],
  onExchange: [
    ['yes', 'createSandbox: the option onExchange must be a function that is called for each exchange.'],
  ],
  deliver: [
    ['http://shop.example', 'createSandbox: the option deliver must be a function that carries a callback.'],
  ],
  callbackBody: [
    [
      {},
      'createSandbox: the option callbackBody must be a function from a payment to the content of its callback.',
    ],
  ],
  callbackTries: [[0, 'createSandbox: the option callbackTries must be a whole number, 1 or more.']],
  callbackRetryAfterMs: [
    [-1, 'createSandbox: the option callbackRetryAfterMs must be a number of milliseconds, 0 or more.'],
  ],
  callbackTimeoutMs: [
    [-1, 'createSandbox: the option callbackTimeoutMs must be a number of milliseconds, 0 or more.'],
  ],
  maxLogged: [[-1, 'createSandbox: the option maxLogged must be a whole number, 0 or more.']],
  maxPayments: [[0.5, 'createSandbox: the option maxPayments must be a whole number, 1 or more.']],
  maxBodyBytes: [[0, 'createSandbox: the option maxBodyBytes must be a whole number, 1 or more.']],
  balanceCounts: [
    [true, 'createSandbox: the option balanceCounts must be an object such as { pendingPayouts: true }.'],
    [
      { pendingPayouts: 'yes' },
      'createSandbox: the option balanceCounts.pendingPayouts must be true or false.',
    ],
    [
      { fees: 'never' },
      'createSandbox: the option balanceCounts.fees must be "with-payment", "kept" or "apart".',
    ],
  ],
  channelName: [['', 'createSandbox: the option channelName must be a text that is not empty.']],
  balances: [
    [
      { euro: 1 },
      'createSandbox: the option balances must be an object of numbers by currency code, such as { EUR: 1000 }.',
    ],
  ],
  paymentOperators: [
    [
      [{ code: 'A' }],
      'createSandbox: the option paymentOperators must be a list of objects with code and name.',
    ],
  ],
}

const ofCall: Sentences<CallOptions> = {
  signal: [
    [{}, 'signal must be an AbortSignal, such as the signal of an AbortController; nothing was sent.'],
  ],
  timeoutMs: [[0, 'timeoutMs must be a number of milliseconds from 1 to 2147483647; nothing was sent.']],
  deadlineMs: [
    ['5000', 'deadlineMs must be a number of milliseconds from 1 to 2147483647; nothing was sent.'],
  ],
  retries: [[1.5, 'retries must be a whole number, 0 or more; nothing was sent.']],
  priority: [['low', 'priority must be "customer" or "bulk"; nothing was sent.']],
}

const ofWait: Sentences<WaitOptions> = {
  maxWaitMs: [
    [
      0,
      'maxWaitMs must be a number of milliseconds from 1 to 2147483647, since a wait needs a limit; nothing was sent.',
    ],
    [
      undefined,
      'maxWaitMs is missing; it must be a number of milliseconds from 1 to 2147483647, since a wait needs a limit; nothing was sent.',
    ],
  ],
  signal: [
    [{}, 'signal must be an AbortSignal, such as the signal of an AbortController; nothing was sent.'],
  ],
}

const ofRequest: Sentences<CustomRequest> = {
  method: [
    ['get', 'method must be one of GET, POST, PUT, PATCH, DELETE; nothing was sent.'],
    [undefined, 'method is missing; it must be one of GET, POST, PUT, PATCH, DELETE; nothing was sent.'],
  ],
  path: [
    [
      'reports',
      'path must be a path of the gateway such as "/reports", escaped, without host, query and fragment: the token goes to no other origin; nothing was sent.',
    ],
    [
      '/../reports',
      'path must not have "." or ".." as a segment, which lead to other paths; nothing was sent.',
    ],
  ],
  pathTemplate: [['reports', 'pathTemplate must be a path such as "/reports/{month}"; nothing was sent.']],
  query: [
    [
      new URLSearchParams('page=2'),
      'query must be a plain object of values by name, such as { page: 2 }; nothing was sent.',
    ],
    [
      { page: null },
      'query.page must be a text, a finite number, a boolean, or a list of texts and numbers; nothing was sent.',
    ],
    [
      { codes: ['a,b'] },
      'query.codes must hold texts without commas, since commas join them; nothing was sent.',
    ],
  ],
  body: [[5n, "the request holds what JSON can't (a BigInt, or a circle); nothing was sent."]],
  operations: [
    [
      [],
      'operations must be a list of entries such as "GET /payins/.*"; operation() makes them; nothing was sent.',
    ],
    [
      undefined,
      'operations is missing; it must be a list of entries such as "GET /payins/.*"; operation() makes them; nothing was sent.',
    ],
  ],
  response: [
    [{}, 'response must be a Standard Schema, as zod, valibot and arktype make them; nothing was sent.'],
  ],
  idempotent: [['yes', 'idempotent must be true or false; nothing was sent.']],
}

const ofCreate: Sentences<PayinCreateInput> = {
  idPayin: [
    [
      null,
      'idPayin is null: store an id with your order before you call, and give that one, since a retry under another id would pay twice; nothing was sent.',
    ],
    ['', 'idPayin must not be empty; nothing was sent.'],
    [42, 'idPayin must be a string; nothing was sent.'],
    ['..', 'idPayin must not be "." or "..", which are other paths; nothing was sent.'],
    ['!x', 'idPayin must not start with "!", which names other endpoints; nothing was sent.'],
    ['a/b', 'idPayin must not contain "/" or "\\", which are other paths; nothing was sent.'],
    ['a\n', 'idPayin must not contain control characters or halves of characters; nothing was sent.'],
  ],
  paymentRequested: [
    [undefined, 'paymentRequested is missing; it must be an object with money in it; nothing was sent.'],
    ['10 EUR', 'paymentRequested must be an object with money in it; nothing was sent.'],
    [
      {},
      'paymentRequested.money is missing; it must be an object with amount and currencyCode; nothing was sent.',
    ],
    [
      { money: '10 EUR' },
      'paymentRequested.money must be an object with amount and currencyCode; nothing was sent.',
    ],
    [
      { money: {} },
      'paymentRequested.money.amount must be a number or a plain decimal string such as "10.50"; nothing was sent.',
    ],
    [{ money: { amount: -1 } }, 'paymentRequested.money.amount must not be negative; nothing was sent.'],
    [
      { money: { amount: 0.1 + 0.2 } },
      'paymentRequested.money.amount has more than 15 digits, which a JSON number does not keep exactly: round it or pass a string (sums such as 0.1 + 0.2 do this); nothing was sent.',
    ],
    [
      { money: { amount: 1 } },
      'paymentRequested.money.currencyCode must be a currency code of three letters such as "EUR"; nothing was sent.',
    ],
    [
      { money: { amount: 10.505, currencyCode: 'EUR' } },
      'paymentRequested.money.amount has 3 decimals, but EUR has 2; round it first; nothing was sent.',
    ],
  ],
  paymentMethod: [
    ['VAPAY', 'paymentMethod must be an object with paymentMethodCode; nothing was sent.'],
    [
      { paymentMethodCode: 5 },
      'paymentMethod.paymentMethodCode must be a string (a number loses leading zeros); nothing was sent.',
    ],
    [
      { paymentOperatorCode: null },
      'paymentMethod.paymentOperatorCode must be a string (a number loses leading zeros); nothing was sent.',
    ],
    [{ emailAddress: {} }, 'paymentMethod.emailAddress must be a text; nothing was sent.'],
    [
      { account: '0012' },
      'paymentMethod.account must be an object with accountName and accountNumber; nothing was sent.',
    ],
    [
      { account: { iban: 'DE89370400440532013000' } },
      'paymentMethod.account.iban is not a field of a payin; did you mean paymentMethod.account.accountNumber? nothing was sent.',
    ],
    [
      { account: { accountNumber: 12 } },
      'paymentMethod.account.accountNumber must be a string (a number loses leading zeros); nothing was sent.',
    ],
    [
      { account: { accountName: [] } },
      'paymentMethod.account.accountName must be a string (a number loses leading zeros); nothing was sent.',
    ],
  ],
  callbackUrl: [
    ['/callbacks', 'callbackUrl must be an absolute http or https URL; nothing was sent.'],
    ...each(
      ['https://shop.example/a\r\nx: 1', 'https://shop.example/a\n', 'https://shop.example/\u0000'],
      'callbackUrl holds a line break or another control character; nothing was sent.',
    ),
  ],
  returnUrl: [['javascript:alert(1)', 'returnUrl must be an absolute http or https URL; nothing was sent.']],
  extra: [
    [5, 'extra must be an object of fields; nothing was sent.'],
    [
      { callback_url: 'x' },
      'extra.callback_url has a place of its own: give it as callbackUrl; nothing was sent.',
    ],
    [
      { orderId: 'x' },
      'extra.orderId is not a field of a payin, whose id is idPayin: under another name a fresh id would be made at every call, and a retry would pay twice; nothing was sent.',
    ],
    [{ '': 1 }, 'extra holds a field without a name; nothing was sent.'],
  ],
}

const ofByAction: Sentences<TokenByActionInput> = {
  action: [
    ['', 'action must be a text such as "PAYIN_INFO"; nothing was sent.'],
    [undefined, 'action is missing; it must be a text such as "PAYIN_INFO"; nothing was sent.'],
  ],
  idPayment: [
    [undefined, 'idPayment is missing; it must be your id of the payment; nothing was sent.'],
    ['..', 'idPayment must not be "." or "..", which are other paths; nothing was sent.'],
  ],
  money: [
    [5, 'money must be an object with amount and currencyCode; nothing was sent.'],
    [
      { amount: 1 },
      'money.currencyCode must be a currency code of three letters such as "EUR"; nothing was sent.',
    ],
  ],
  validitySecs: [[0.5, 'validitySecs must be a whole number of seconds, 1 or more; nothing was sent.']],
}

const ofByOperations: Sentences<TokenByOperationsInput> = {
  operations: [
    [
      ['/x'],
      'operations must be a list of entries such as "GET /payins/.*"; operation() makes them; nothing was sent.',
    ],
    [
      undefined,
      'operations is missing; it must be a list of entries such as "GET /payins/.*"; operation() makes them; nothing was sent.',
    ],
  ],
  money: [[{}, 'money.amount must be a number or a plain decimal string such as "10.50"; nothing was sent.']],
  validitySecs: [[0, 'validitySecs must be a whole number of seconds, 1 or more; nothing was sent.']],
}

const ofShareable: Sentences<ShareableTokenInput> = {
  idPayin: [[undefined, 'idPayin is missing; it must be your id of the payment; nothing was sent.']],
  validitySecs: [
    [
      undefined,
      'validitySecs is missing; it must be a whole number of seconds, 1 or more; nothing was sent.',
    ],
  ],
  maxValiditySecs: [[0, 'maxValiditySecs must be a whole number of seconds, 1 or more; nothing was sent.']],
}

const ofBalances: Sentences<BalancesInput> = {
  currencies: [
    [[], 'currencies must be a list of at least one code, as texts; leave it out for all; nothing was sent.'],
    [['EUR,USD'], 'currencies must hold texts without commas, since commas join them; nothing was sent.'],
  ],
}

const ofReconcile: Sentences<CatchUpOptions> = {
  signal: [
    [{}, 'signal must be an AbortSignal, such as the signal of an AbortController; nothing was looked up.'],
  ],
  deliver: [['yes', 'deliver must be true or false; nothing was looked up.']],
  onProgress: [
    [true, 'onProgress must be a function that takes how far the run has come; nothing was looked up.'],
  ],
}

const tables: Readonly<Record<string, readonly [table: object, ask: (one: object) => unknown]>> = {
  'the client': [ofClient, (one) => new GatewayClient(Object.assign({ ...client }, one))],
  'the receiver of callbacks': [
    ofReceiver,
    (one) => new CallbackReceiver(Object.assign({ ...receiver }, one)),
  ],
  'the sandbox': [ofSandbox, (one) => createSandbox(one)],
  'a call': [ofCall, (one) => checkCallOptions(one)],
  'a wait': [ofWait, (one) => checkWaitOptions(Object.assign({ maxWaitMs: 5 }, one))],
  'request()': [ofRequest, (one) => testClient().request(Object.assign({ ...request }, one))],
  'a create': [ofCreate, (one) => prepareCreate('payin', Object.assign({ ...payin }, one))],
  'authTokens.createByAction': [
    ofByAction,
    (one) => testClient().authTokens.createByAction(Object.assign({ ...byAction }, one)),
  ],
  'authTokens.create': [
    ofByOperations,
    (one) => testClient().authTokens.create(Object.assign({ operations }, one)),
  ],
  'authTokens.shareable': [
    ofShareable,
    (one) => testClient().authTokens.shareable(Object.assign({ ...shareable }, one)),
  ],
  'payins.paymentOptions': [
    {},
    (one) => testClient().payins.paymentOptions(Object.assign({ amount: 1, currencyCode: 'EUR' }, one)),
  ],
  'balances.list': [ofBalances, (one) => testClient().balances.list(one)],
  reconcile: [ofReconcile, (one) => reconciled(one)],
}

async function sentenceOf(ask: () => unknown): Promise<string> {
  try {
    await ask()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return 'nothing was refused'
}

for (const [what, [table, ask]] of Object.entries(tables)) {
  for (const [name, rows] of Object.entries(table)) {
    test.each<readonly [unknown, string]>(rows)(`${what}, ${name}: %o: %s`, async (wrong, sentence) => {
      expect(await sentenceOf(() => ask({ [name]: wrong }))).toBe(sentence)
    })
  }
}

test.each(Object.keys(ofClient))('the client, %s: a symbol and a circle are refused too', async (name) => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  for (const wrong of [Symbol('s'), circle]) {
    const error = await caught(() => new GatewayClient(Object.assign({ ...client }, { [name]: wrong })))
    expect(error).toMatchObject({ code: 'configuration', option: name })
    expect(error.message).toMatch(new RegExp(`^${name}(?:\\.self)? (?:must|is) .*\\.$`))
  }
})

test.each([
  [
    'the client',
    'timeout',
    'timeout is not an option of the client; the options are baseUrl, merchantCode, privateKey, privateKeyPassphrase, signer, merchantSecret, tokens, tokenValiditySecs, tokenCache, tokenField, timestampUnit, operations, customerAccountPath, statuses, live, maxIdLength, timeoutMs, deadlineMs, retries, rateLimit, maxQueued, maxResponseBytes, fetch, dispatcher, allowInsecureHttp, logger, slowCallMs, now; did you mean timeoutMs?',
  ],
  [
    'the client',
    'zzz',
    'zzz is not an option of the client; the options are baseUrl, merchantCode, privateKey, privateKeyPassphrase, signer, merchantSecret, tokens, tokenValiditySecs, tokenCache, tokenField, timestampUnit, operations, customerAccountPath, statuses, live, maxIdLength, timeoutMs, deadlineMs, retries, rateLimit, maxQueued, maxResponseBytes, fetch, dispatcher, allowInsecureHttp, logger, slowCallMs, now.',
  ],
  [
    'the receiver of callbacks',
    'lookUpDeadlineMs',
    'lookUpDeadlineMs is not an option of the receiver; the options are client, publicUrl, secrets, environment, previousPublicUrls, onPayin, onPayout, wake, onError, dedupe, lookupDeadlineMs, functionTimeoutMs, dedupeTimeoutMs, maxPending, allowInsecureHttp; did you mean lookupDeadlineMs?',
  ],
  [
    'the sandbox',
    'rateLimits',
    'createSandbox: the option rateLimits is not known; the options are strictness, merchantCode, merchantSecret, publicKeys, privateKey, timestampUnit, timestampToleranceSecs, replay, tokenField, tokenFormat, maxValiditySecs, payinStatusIn, errorFormat, customerAccountPath, basePath, rateLimit, limiter, retryAfter, pendingAfterMs, payAfterMs, payJitterMs, expireAfterMs, magicAmounts, clock, startAt, seed, onExchange, deliver, callbackBody, callbackTries, callbackRetryAfterMs, callbackTimeoutMs, maxLogged, maxPayments, maxBodyBytes, channelName, balances, balanceCounts, mistakes, payinMethods, paymentOperators; did you mean rateLimit?',
  ],
  [
    'a call',
    'timeout',
    'timeout is not an option of a call (signal, timeoutMs, deadlineMs, retries, priority); did you mean timeoutMs? nothing was sent.',
  ],
  [
    'a wait',
    'maxWaitMS',
    'maxWaitMS is not an option of a wait (maxWaitMs, signal); did you mean maxWaitMs? nothing was sent.',
  ],
  [
    'request()',
    'idempotant',
    'idempotant is not an option of a request (method, path, pathTemplate, query, body, operations, response, idempotent); did you mean idempotent? nothing was sent.',
  ],
  [
    'a create',
    'calbackUrl',
    'calbackUrl is not a field of a payin; did you mean callbackUrl? nothing was sent.',
  ],
  [
    'the client',
    'apiKey',
    'apiKey is not an option of the client: the gateway knows a merchant by merchantCode and signatures, so give privateKey ("npx merchant-gateway keygen" makes a key).',
  ],
  [
    'a create',
    'IBAN',
    'IBAN is not a field of a payin; did you mean paymentMethod.account.accountNumber? nothing was sent.',
  ],
  [
    'a create',
    'amount',
    'amount is not a field of a payin; did you mean paymentRequested.money.amount? nothing was sent.',
  ],
  [
    'a create',
    'orderId',
    'orderId is not a field of a payin, whose id is idPayin: under another name a fresh id would be made at every call, and a retry would pay twice; nothing was sent.',
  ],
  [
    'a create',
    'zzz',
    'zzz is not a field of a payin that this version knows; one that the gateway has added goes into extra; nothing was sent.',
  ],
  [
    'authTokens.createByAction',
    'validity',
    'validity is not a field of this token request (action, idPayment, money, validitySecs); did you mean validitySecs? nothing was sent.',
  ],
  [
    'authTokens.create',
    'validity_secs',
    'validity_secs is not a field of this token request (operations, money, validitySecs); did you mean validitySecs? nothing was sent.',
  ],
  [
    'authTokens.shareable',
    'idPayn',
    'idPayn is not a field of this token request (idPayin, validitySecs, maxValiditySecs); did you mean idPayin? nothing was sent.',
  ],
  [
    'authTokens.shareable',
    'money',
    'money is not a field of this token request (idPayin, validitySecs, maxValiditySecs); nothing was sent.',
  ],
  [
    'payins.paymentOptions',
    'currency',
    'money.currency is not a field of money; did you mean money.currencyCode? nothing was sent.',
  ],
  [
    'balances.list',
    'currency',
    'currency is not a field of this request (currencies); did you mean currencies? nothing was sent.',
  ],
  [
    'reconcile',
    'delivr',
    'delivr is not an option of catchUp (signal, deliver, onProgress); did you mean deliver? nothing was looked up.',
  ],
])('%s has no %s, and says what it has', async (what, name, sentence) => {
  const [, ask] = tables[what] ?? expect.fail()
  expect(await sentenceOf(() => ask({ [name]: undefined }))).toBe(sentence)
})
