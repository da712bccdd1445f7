import {
  type BalancesInput,
  type CallOptions,
  type ClientOptions,
  type CustomRequest,
  GatewayClient,
  type PayinCreateInput,
  type ShareableTokenInput,
  type TokenByActionInput,
  type TokenByOperationsInput,
  type WaitOptions,
} from 'merchant-gateway'
import {
  CallbackReceiver,
  type CallbackReceiverOptions,
  type CatchUpOptions,
} from 'merchant-gateway/callbacks'
import { createSandbox, type SandboxOptions } from 'merchant-gateway-sandbox'
import { expect, test } from 'vitest'
import { caught } from '../../support/caught.js'
import { testClient } from '../../support/gateway.js'
import { privatePem } from '../../support/vectors.js'

/** For every name of an interface what is wrong there, and the sentence about it, without its name and its end. */
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
      const lookups = { lookUp, seen: () => undefined }
      return { payin: lookups, payout: lookups, isFinal: () => true, statusOf: () => undefined }
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

const milliseconds = 'must be a number of milliseconds from 1 to 2147483647'
const wholeNumber = 'must be a whole number, 1 or more'
const text = 'must be a text that is not empty'

const ofClient: Sentences<ClientOptions> = {
  baseUrl: [
    ...each(
      ['gateway.example', '/api', '', 5, {}],
      'must be an absolute URL such as "https://gateway.example/api"',
    ),
    [undefined, 'is missing; it must be an absolute URL such as "https://gateway.example/api"'],
    [
      'http://gateway.example',
      'is plain http, which shows tokens to everybody on the way: use https (or allowInsecureHttp)',
    ],
    ['ftp://gateway.example', 'must be https (plain http on this machine only)'],
    ['https://me:secret@gateway.example', 'must not hold a user name or a password: tokens authenticate'],
    ['https://gateway.example/?a=1', 'must not have a query or a fragment: give the address alone'],
  ],
  merchantCode: [
    ['', 'must be a text that is not empty, and no key'],
    [undefined, 'is missing; it must be a text that is not empty, and no key'],
  ],
  privateKey: [
    [5, 'must be PEM text or a KeyObject'],
    [undefined, 'is missing; give privateKey or signer ("npx merchant-gateway keygen" makes a key)'],
    [
      'key',
      'is not PEM: it must start with "-----BEGIN PRIVATE KEY-----" or similar (the text of the file, not its path)',
    ],
  ],
  privateKeyPassphrase: [[5, 'must be a text']],
  signer: [
    ...each(
      [{}, 'x', () => 1, null, { sign: 1 }],
      'must be an object with a method sign(bytes), which gives the signature as bytes',
    ),
    [{ sign: () => new Uint8Array() }, 'and privateKey exclude each other; give one'],
  ],
  merchantSecret: [['', text]],
  tokens: [['shared', 'must be "per-family" or "per-payment"']],
  tokenValiditySecs: each([0, -1, 1.5, '900', Number.NaN, Number.POSITIVE_INFINITY], wholeNumber),
  tokenCache: [[{}, 'must be an object with the methods get and set']],
  tokenField: [['', text]],
  timestampUnit: [['ms', 'must be "seconds" or "milliseconds"']],
  operations: each(
    [{ refunds: ['GET /x'] }, { payins: [] }, { payins: 'GET /x' }, { payins: ['/x'] }, [], 'GET /x', null],
    'must be lists of operations for payins, payouts or account, such as { payouts: ["POST /payouts/.*"] }',
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
    'must be a path that starts with "/" and holds {idPayin} once, such as "/payins/{idPayin}/account", without a query and without dots as segments',
  ),
  statuses: [
    ...each(['SUCCESS', [], null], 'must be an object such as {"paid":["COMPLETED"],"final":["FAILED"]}'),
    [
      { payed: ['COMPLETED'] },
      'statuses.payed is not an option of statuses; the options are field, processedAtField, paid, final; did you mean paid?',
    ],
    [{ field: 'process..status' }, '.field must be a place such as "state" or "process.status"'],
    [{ processedAtField: '' }, '.processedAtField must be a place such as "state" or "process.status"'],
    ...each(
      [{ paid: 'COMPLETED' }, { paid: [''] }, { paid: [5] }, { paid: ['X'.repeat(65)] }, { paid: ['PAID '] }],
      '.paid must be a list of statuses, texts of 1 to 64 characters such as ["COMPLETED"]',
    ),
  ],
  live: [['true', 'must be true or false']],
  maxIdLength: [[0, wholeNumber]],
  timeoutMs: each([0, -1, 0.5, '5000', Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY, null], milliseconds),
  deadlineMs: [['5000', milliseconds]],
  retries: each([-1, 1.5, '4', Number.POSITIVE_INFINITY, null], 'must be a whole number, 0 or more'),
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
    'must be a number of requests a second from 0.001 on, { requestsPerSecond, counted } with counted "in-windows" or "evenly-spaced", false, or a limiter with a method acquire(signal)',
  ),
  maxQueued: [[0, wholeNumber]],
  maxResponseBytes: [['1 MB', wholeNumber]],
  fetch: [['fetch', 'must be a function such as the global fetch']],
  dispatcher: each([{}, 'x', () => 1], 'must be an undici dispatcher, such as new Agent()'),
  allowInsecureHttp: each(['true', 1, null], 'must be true or false'),
  logger: [[{}, 'must be an object with the methods debug, info, warn and error']],
  slowCallMs: [[0, milliseconds]],
  now: [[5, 'must be a function that returns milliseconds since 1970']],
}

const ofReceiver: Sentences<CallbackReceiverOptions> = {
  client: [
    [{}, 'must be a GatewayClient'],
    [undefined, 'is missing; it must be a GatewayClient'],
  ],
  publicUrl: [
    ['/callbacks', 'must be an absolute URL such as "https://shop.example/gateway/callbacks"'],
    [undefined, 'is missing; it must be an absolute URL such as "https://shop.example/gateway/callbacks"'],
    [
      'http://shop.example',
      'must be https: whoever reads the URL on its way can call it (allowInsecureHttp allows plain http)',
    ],
    ['https://shop.example/?a=1', 'must not have a user name, a query or a fragment'],
  ],
  secrets: [
    [[], 'are missing; set GATEWAY_CALLBACK_SECRET or give the option; "openssl rand -hex 32" makes one'],
    ['secret', 'must be a list of texts or bytes, the one that signs first'],
    [['short'], 'must each have at least 32 bytes; "openssl rand -hex 32" makes one'],
    [[undefined], 'secrets must hold texts or bytes, and one is undefined; is its variable set?'],
    [
      ['x'.repeat(32)],
      'must each be random, and one has fewer than 8 different bytes; "openssl rand -hex 32" makes one',
    ],
  ],
  environment: [['a b', 'must be a name of letters, digits, dots, dashes and underscores']],
  previousPublicUrls: [
    [['/callbacks'], 'must be a list of absolute URLs'],
    [['ftp://shop.example'], 'must be https, or plain http'],
  ],
  onPayin: [['yes', 'must be a function that takes a payin']],
  onPayout: [[{}, 'must be a function that takes a payout']],
  wake: [[true, 'must be a function that takes { idPayin } or { idPayout }']],
  onError: [[1, 'must be a function that takes an error']],
  dedupe: [[{}, 'must be an object with the methods get and set']],
  lookupDeadlineMs: [[0, milliseconds]],
  functionTimeoutMs: [['30s', milliseconds]],
  dedupeTimeoutMs: [['30s', milliseconds]],
  maxPending: [[1.5, wholeNumber]],
  allowInsecureHttp: [['yes', 'must be true or false']],
}

const ofSandbox: Sentences<SandboxOptions> = {
  strictness: [['strict', 'must be "specification" or "generous"']],
  merchantCode: [['', text]],
  merchantSecret: [[7, text]],
  publicKeys: [[['key'], 'must be a list of public RSA keys, each a PEM or a KeyObject']],
  privateKey: [['key', 'must be a private RSA key, a PEM or a KeyObject']],
  timestampUnit: [['ms', 'must be "seconds" or "milliseconds"']],
  timestampToleranceSecs: [[-1, 'must be a number of seconds, 0 or more']],
  replay: [['never', 'must be "allow" or "refuse"']],
  tokenField: [[null, text]],
  tokenFormat: [['xml', 'must be "json", "json-string" or "text"']],
  maxValiditySecs: [[0, wholeNumber]],
  payinStatusIn: [['body', 'must be "process" or "top"']],
  errorFormat: [['xml', 'must be "code", "errors" or "none"']],
  customerAccountPath: [
    ['/account', 'must be a path with exactly one {idPayin}, such as /payins/{idPayin}/customer-account'],
  ],
  basePath: [['/api/', 'must be a path such as /api, that begins with / and does not end with one']],
  rateLimit: [[0, 'must be a whole number of requests a second, from 1 to 100000, or false']],
  limiter: [['leaky', 'must be one of sliding-window, fixed-window, token-bucket, evenly-spaced']],
  retryAfter: [[true, 'must be "seconds", "date" or false']],
  pendingAfterMs: [[-1, 'must be a number of milliseconds, 0 or more']],
  payAfterMs: [['1000', 'must be a number of milliseconds, 0 or more, or false']],
  payJitterMs: [[-1, 'must be a number of milliseconds, 0 or more']],
  expireAfterMs: [[-1, 'must be a number of milliseconds, 0 or more']],
  magicAmounts: [[[], 'must be true or false']],
  clock: [['fake', 'must be "real" or "virtual"']],
  startAt: [['now', 'must be milliseconds since 1970, or a Date']],
  seed: [[{}, 'must be a number or a text']],
  onExchange: [['yes', 'must be a function that is called for each exchange']],
  deliver: [['http://shop.example', 'must be a function that carries a callback']],
  callbackBody: [[{}, 'must be a function from a payment to the content of its callback']],
  callbackTries: [[0, wholeNumber]],
  callbackRetryAfterMs: [[-1, 'must be a number of milliseconds, 0 or more']],
  callbackTimeoutMs: [[-1, 'must be a number of milliseconds, 0 or more']],
  maxLogged: [[-1, 'must be a whole number, 0 or more']],
  maxPayments: [[0.5, wholeNumber]],
  maxBodyBytes: [[0, wholeNumber]],
  channelName: [['', text]],
  balances: [[{ euro: 1 }, 'must be an object of numbers by currency code, such as { EUR: 1000 }']],
  balanceCounts: [
    [true, 'must be an object such as { pendingPayouts: true }'],
    [{ pendingPayouts: 'yes' }, '.pendingPayouts must be true or false'],
    [{ fees: 'never' }, '.fees must be "with-payment", "kept" or "apart"'],
  ],
  mistakes: [['strict', 'must be "by-specification", "refuse" or "note"']],
  payinMethods: [[[''], 'must be a list of codes of payment methods']],
  paymentOperators: [[[{ code: 'A' }], 'must be a list of objects with code and name']],
}

const ofCall: Sentences<CallOptions> = {
  signal: [[{}, 'must be an AbortSignal, such as the signal of an AbortController']],
  timeoutMs: [[0, milliseconds]],
  deadlineMs: [['5000', milliseconds]],
  retries: [[1.5, 'must be a whole number, 0 or more']],
  priority: [['low', 'must be "customer" or "background"']],
}

const ofWait: Sentences<WaitOptions> = {
  maxWaitMs: [
    [0, 'must be a number of milliseconds from 1 to 2147483647, since a wait needs a limit'],
    [
      undefined,
      'is missing; it must be a number of milliseconds from 1 to 2147483647, since a wait needs a limit',
    ],
  ],
  signal: [[{}, 'must be an AbortSignal, such as the signal of an AbortController']],
}

const ofRequest: Sentences<CustomRequest> = {
  method: [
    ['get', 'must be one of GET, POST, PUT, PATCH, DELETE'],
    [undefined, 'is missing; it must be one of GET, POST, PUT, PATCH, DELETE'],
  ],
  path: [
    [
      'reports',
      'must be a path of the gateway such as "/reports", escaped, without host, query and fragment: the token goes to no other origin',
    ],
    ['/../reports', 'must not have "." or ".." as a segment, which lead to other paths'],
  ],
  pathTemplate: [['reports', 'must be a path such as "/reports/{month}"']],
  query: [
    [new URLSearchParams('page=2'), 'must be a plain object of values by name, such as { page: 2 }'],
    [{ page: null }, '.page must be a text, a finite number, a boolean, or a list of texts and numbers'],
    [{ codes: ['a,b'] }, '.codes must hold texts without commas, since commas join them'],
  ],
  // Of the whole request.
  body: [[5n, "the request holds what JSON can't (a BigInt, or a circle); nothing was sent."]],
  operations: [
    [[], 'must be a list of entries such as "GET /payins/.*"; operation() makes them'],
    [undefined, 'is missing; it must be a list of entries such as "GET /payins/.*"; operation() makes them'],
  ],
  response: [[{}, 'must be a Standard Schema, as zod, valibot and arktype make them']],
  idempotent: [['yes', 'must be true or false']],
}

const ofCreate: Sentences<PayinCreateInput> = {
  idPayin: [
    [
      null,
      'is null: store an id with your order before you call, and give that one, since a retry under another id would pay twice',
    ],
    ['', 'must not be empty'],
    ...each([42, { toString: () => 'a' }], 'must be a string'),
    ...each(['.', '..'], 'must not be "." or "..", which are other paths'),
    ['!x', 'must not start with "!", which names other endpoints'],
    ...each(['a/b', 'a\\b'], 'must not contain "/" or "\\", which are other paths'),
    ...each(
      ['a\n', 'a\u007f', 'a\u0085', 'a\ud83d', '\ude00a'],
      'must not contain control characters or halves of characters',
    ),
  ],
  paymentRequested: [
    [undefined, 'is missing; it must be an object with money in it'],
    ['10 EUR', 'must be an object with money in it'],
    [{}, '.money is missing; it must be an object with amount and currencyCode'],
    [{ money: '10 EUR' }, '.money must be an object with amount and currencyCode'],
    [
      { money: {} },
      '.money.amount is missing; it must be a number or a plain decimal string such as "10.50"',
    ],
    [{ money: { amount: -1 } }, '.money.amount must not be negative'],
    [
      { money: { amount: 0.1 + 0.2 } },
      '.money.amount has more than 15 digits, which a JSON number does not keep exactly: round it or pass a string (sums such as 0.1 + 0.2 do this)',
    ],
    [
      { money: { amount: 1 } },
      '.money.currencyCode is missing; it must be a currency code of three letters such as "EUR"',
    ],
    [
      { money: { amount: 10.505, currencyCode: 'EUR' } },
      '.money.amount has 3 decimals, but EUR has 2; round it first',
    ],
  ],
  paymentMethod: [
    ['VAPAY', 'must be an object with paymentMethodCode'],
    [{ paymentMethodCode: 5 }, '.paymentMethodCode must be a string (a number loses leading zeros)'],
    [{ paymentOperatorCode: null }, '.paymentOperatorCode must be a string (a number loses leading zeros)'],
    [{ emailAddress: {} }, '.emailAddress must be a text'],
    [{ account: '0012' }, '.account must be an object with accountName and accountNumber'],
    [
      { account: { iban: 'DE89370400440532013000' } },
      'paymentMethod.account.iban is not a field of a payin; did you mean paymentMethod.account.accountNumber? nothing was sent.',
    ],
    [
      { account: { accountNumber: 12 } },
      '.account.accountNumber must be a string (a number loses leading zeros)',
    ],
    [
      { account: { accountName: [] } },
      '.account.accountName must be a string (a number loses leading zeros)',
    ],
  ],
  callbackUrl: [
    ['/callbacks', 'must be an absolute http or https URL'],
    ...each(
      ['https://shop.example/a\r\nx: 1', 'https://shop.example/a\n', 'https://shop.example/\u0000'],
      'holds a line break or another control character',
    ),
  ],
  returnUrl: [['javascript:alert(1)', 'must be an absolute http or https URL']],
  extra: [
    [5, 'must be an object of fields'],
    [{ callback_url: 'x' }, '.callback_url has a place of its own: give it as callbackUrl'],
    [
      { orderId: 'x' },
      '.orderId is not a field of a payin, whose id is idPayin: under another name a fresh id would be made at every call, and a retry would pay twice',
    ],
    [{ '': 1 }, 'holds a field without a name'],
  ],
}

const ofByAction: Sentences<TokenByActionInput> = {
  action: [
    ['', 'must be a text such as "PAYIN_INFO"'],
    [undefined, 'is missing; it must be a text such as "PAYIN_INFO"'],
  ],
  idPayment: [
    [undefined, 'is missing; it must be your id of the payment'],
    ['..', 'must not be "." or "..", which are other paths'],
  ],
  money: [
    [5, 'must be an object with amount and currencyCode'],
    [{ amount: 1 }, '.currencyCode is missing; it must be a currency code of three letters such as "EUR"'],
  ],
  validitySecs: [[0.5, 'must be a whole number of seconds, 1 or more']],
}

const ofByOperations: Sentences<TokenByOperationsInput> = {
  operations: [
    [['/x'], 'must be a list of entries such as "GET /payins/.*"; operation() makes them'],
    [undefined, 'is missing; it must be a list of entries such as "GET /payins/.*"; operation() makes them'],
  ],
  money: [[{}, '.amount is missing; it must be a number or a plain decimal string such as "10.50"']],
  validitySecs: [[0, 'must be a whole number of seconds, 1 or more']],
}

const ofShareable: Sentences<ShareableTokenInput> = {
  idPayin: [[undefined, 'is missing; it must be your id of the payment']],
  validitySecs: [[undefined, 'is missing; it must be a whole number of seconds, 1 or more']],
  maxValiditySecs: [[0, 'must be a whole number of seconds, 1 or more']],
}

const ofBalances: Sentences<BalancesInput> = {
  currencies: [
    [[], 'must be a list of at least one code, as texts; leave it out for all'],
    [['EUR,USD'], 'must hold texts without commas, since commas join them'],
  ],
}

const ofCatchUp: Sentences<CatchUpOptions> = {
  signal: [[{}, 'must be an AbortSignal, such as the signal of an AbortController']],
  deliver: [['yes', 'must be true or false']],
}

interface Table {
  readonly rows: Readonly<Record<string, readonly (readonly [wrong: unknown, sentence: string])[]>>
  readonly ask: (one: object) => unknown
  readonly begins?: string
  readonly ends?: string
}

const sent = '; nothing was sent.'
const looked = '; nothing was looked up.'
const make = <T extends object>(base: T, one: object): T => Object.assign({ ...base }, one)
const money = { amount: 1, currencyCode: 'EUR' }
const { authTokens, balances, currencies, payins } = testClient()

const tables: Readonly<Record<string, Table>> = {
  'the client': { rows: ofClient, ask: (one) => new GatewayClient(make(client, one)) },
  'the receiver': { rows: ofReceiver, ask: (one) => new CallbackReceiver(make(receiver, one)) },
  'the sandbox': { rows: ofSandbox, ask: (one) => createSandbox(one), begins: 'createSandbox: the option ' },
  'a call': { rows: ofCall, ask: (one) => currencies.list(one), ends: sent },
  'a wait': { rows: ofWait, ask: (one) => payins.waitFor('a', make({ maxWaitMs: 5 }, one)), ends: sent },
  'request()': { rows: ofRequest, ask: (one) => testClient().request(make(request, one)), ends: sent },
  'a create': { rows: ofCreate, ask: (one) => payins.create(make(payin, one)), ends: sent },
  createByAction: {
    rows: ofByAction,
    ask: (one) => authTokens.createByAction(make(byAction, one)),
    ends: sent,
  },
  'authTokens.create': {
    rows: ofByOperations,
    ask: (one) => authTokens.create(make({ operations }, one)),
    ends: sent,
  },
  shareable: { rows: ofShareable, ask: (one) => authTokens.shareable(make(shareable, one)), ends: sent },
  paymentOptions: {
    rows: {},
    ask: (one) => payins.paymentOptions(make(money, one)),
    begins: 'money.',
    ends: sent,
  },
  'balances.list': { rows: ofBalances, ask: (one) => balances.list(one), ends: sent },
  catchUp: {
    rows: ofCatchUp,
    ask: (one) => new CallbackReceiver(receiver).catchUp([], one).next(),
    ends: looked,
  },
}

async function sentenceOf(ask: () => unknown): Promise<string> {
  try {
    await ask()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return 'nothing was refused'
}

for (const [what, { rows, ask, begins = '', ends = '.' }] of Object.entries(tables)) {
  for (const [name, ofName] of Object.entries(rows)) {
    test.each<readonly [unknown, string]>(ofName)(`${what}, ${name}: %o %s`, async (wrong, says) => {
      const isWhole = /[.?]$/.test(says)
      const sentence = isWhole ? says : `${begins}${name}${/^[.[]/.test(says) ? '' : ' '}${says}${ends}`
      expect(await sentenceOf(() => ask({ [name]: wrong }))).toBe(sentence)
    })
  }
}

test.each(Object.keys(ofClient))('the client, %s: a symbol and a circle are refused too', async (name) => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  for (const wrong of [Symbol('s'), circle]) {
    const error = await caught(() => new GatewayClient(make(client, { [name]: wrong })))
    expect(error).toMatchObject({ code: 'configuration', option: name })
    expect(error.message).toMatch(new RegExp(`^${name}(?:\\.self)? (?:must|is) .*\\.$`))
  }
})

/** What a name that there is not is called, and the one that was meant. {names} are those that there are. */
const unknown: [what: string, name: string, called: string, meant?: string][] = [
  ['the client', 'timeout', 'an option of the client; the options are {names}', 'timeoutMs'],
  ['the client', 'zzz', 'an option of the client; the options are {names}'],
  ['the client', 'toString', 'an option of the client; the options are {names}'],
  ['the client', 'jane@shop.example', 'an option of the client; the options are {names}'],
  [
    'the receiver',
    'lookUpDeadlineMs',
    'an option of the receiver; the options are {names}',
    'lookupDeadlineMs',
  ],
  ['the sandbox', 'rateLimits', 'known; the options are {names}', 'rateLimit'],
  [
    'the client',
    'apiKey',
    'an option of the client: the gateway knows a merchant by merchantCode and signatures, so give privateKey ("npx merchant-gateway keygen" makes a key)',
  ],
  ['a call', 'timeout', 'an option of a call ({names})', 'timeoutMs'],
  ['a wait', 'maxWaitMS', 'an option of a wait ({names})', 'maxWaitMs'],
  ['request()', 'idempotant', 'an option of a request ({names})', 'idempotent'],
  ['a create', 'calbackUrl', 'a field of a payin', 'callbackUrl'],
  ['a create', 'IBAN', 'a field of a payin', 'paymentMethod.account.accountNumber'],
  ['a create', 'amount', 'a field of a payin', 'paymentRequested.money.amount'],
  [
    'a create',
    'orderId',
    'a field of a payin, whose id is idPayin: under another name a fresh id would be made at every call, and a retry would pay twice',
  ],
  [
    'a create',
    'zzz',
    'a field of a payin that this version knows; one that the gateway has added goes into extra',
  ],
  ['createByAction', 'validity', 'a field of this token request ({names})', 'validitySecs'],
  ['authTokens.create', 'validity_secs', 'a field of this token request ({names})', 'validitySecs'],
  ['shareable', 'idPayn', 'a field of this token request ({names})', 'idPayin'],
  ['shareable', 'money', 'a field of this token request ({names})'],
  ['paymentOptions', 'currency', 'a field of money', 'money.currencyCode'],
  ['balances.list', 'currency', 'a field of this request ({names})', 'currencies'],
  ['catchUp', 'delivr', 'an option of catchUp ({names})', 'deliver'],
]

test.each(unknown)('%s has no %s, and says what it has', async (what, name, called, meant) => {
  const { rows, ask, begins = '', ends = '.' } = tables[what] ?? expect.fail()
  const names = Object.keys(rows).join(', ')
  const end = meant === undefined ? ends : `; did you mean ${meant}?${ends.replace(/^[;.]/, '')}`
  const shown = /^\w+$/.test(name) ? name : '(not shown)'
  const sentence = `${begins}${shown} is not ${called.replace('{names}', names)}${end}`
  expect(await sentenceOf(() => ask({ [name]: undefined }))).toBe(sentence)
})

test('a wait has an id that reaches its own endpoint, for both kinds of payment', async () => {
  const { payouts } = testClient()
  expect(await caught(() => payins.waitFor('..', { maxWaitMs: 1 }))).toMatchObject({ field: 'idPayin' })
  expect(await caught(() => payouts.watch('..', { maxWaitMs: 1 }).next())).toMatchObject({
    field: 'idPayout',
  })
  expect(await caught(() => payouts.waitFor('a', JSON.parse('{}')))).toMatchObject({ field: 'maxWaitMs' })
})
