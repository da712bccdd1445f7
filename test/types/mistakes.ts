/** A program that must not compile: what is wrong in it, its text, and what the compiler has to name. */
export type Mistake = readonly [what: string, program: string, names: string]

const payin = (more: string) => `await client.payins.create({ paymentRequested, paymentMethod, ${more} })`
const payout = (more: string) => `await client.payouts.create({ paymentRequested, paymentMethod, ${more} })`
const least = 'new GatewayClient({ baseUrl, merchantCode'
const after = (code: string, use: string) =>
  `if (isGatewayError(error) && error.code === '${code}') return error.${use}`

export const requestMistakes: readonly Mistake[] = [
  ['a misspelt callbackUrl', payin("calbackUrl: 'https://a.example'"), 'calbackUrl'],
  ['a misspelt returnUrl', payin("retrunUrl: 'https://a.example'"), 'retrunUrl'],
  [
    'a misspelt operator',
    "await client.payins.create({ paymentRequested, paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCod: 'A' } })",
    'paymentOperatorCod',
  ],
  [
    'a misspelt e-mail address',
    "await client.payins.create({ paymentRequested, paymentMethod: { ...paymentMethod, emailAdress: 'x' } })",
    'emailAdress',
  ],
  [
    'a misspelt account number',
    "await client.payouts.create({ paymentRequested, paymentMethod: { ...paymentMethod, account: { accountNumer: '1' } } })",
    'accountNumer',
  ],
  [
    'a misspelt currency',
    "await client.payouts.create({ paymentRequested: { money: { amount: 1, curencyCode: 'EUR' } }, paymentMethod })",
    'curencyCode',
  ],
  [
    'a field beside money',
    "await client.payouts.create({ paymentRequested: { money: money('1', 'EUR'), note: 'rent' }, paymentMethod })",
    'note',
  ],
  ['the id of a payout for a payin', payin("idPayout: 'a'"), 'idPayout'],
  ['the id of a payin for a payout', payout("idPayin: 'a'"), 'idPayin'],
  ['a returnUrl of a payout', payout("returnUrl: 'https://a.example'"), 'returnUrl'],
  ['an id under another name', payout("id: 'a'"), "'id'"],
  ['an idempotency key', payout("idempotencyKey: 'a'"), 'idempotencyKey'],
  ['a field that the gateway has added, outside of extra', payout("priority: 'HIGH'"), 'priority'],
  ['extra that is no object', payout("extra: 'HIGH'"), 'string'],
  ['an id that is a number', payout('idPayout: 5'), 'number'],
  ['an id that is undefined', payout('idPayout: undefined'), 'idPayout'],
  ['no money', 'await client.payouts.create({ paymentMethod })', 'paymentRequested'],
  ['no payment method', 'await client.payouts.create({ paymentRequested })', 'paymentMethod'],
  [
    'a payment method without its code',
    "await client.payins.create({ paymentRequested, paymentMethod: { paymentOperatorCode: 'A' } })",
    'paymentMethodCode',
  ],
  [
    'money without a currency',
    'await client.payins.create({ paymentRequested: { money: { amount: 1 } }, paymentMethod })',
    'currencyCode',
  ],
  ['no request at all', 'await client.payins.create()', 'Expected 1-2 arguments'],
  ['an amount that is a bigint', "const some: MoneyInput = { amount: 5n, currencyCode: 'EUR' }", 'bigint'],
  ['money() without a currency', "money('10.50')", 'Expected 2 arguments'],
  [
    'a misspelt field by way of a variable',
    "const request: PayinCreateInput = { paymentRequested, paymentMethod, calbackUrl: 'https://a.example' }",
    'calbackUrl',
  ],
  [
    'a field of the other kind by way of a variable',
    "const request: PayoutCreateInput = { paymentRequested, paymentMethod, idPayin: 'a' }",
    'idPayin',
  ],
  [
    'a misspelt field deep in a variable',
    "const request: PayoutCreateInput = { paymentRequested, paymentMethod: { paymentMethodCode: 'X', acount: {} } }",
    'acount',
  ],
  [
    'money with one field too many',
    "await client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR', currency: 'EUR' })",
    'currency',
  ],
  ['no id to look for', 'await client.payins.retrieve()', 'Expected 1-2 arguments'],
]

export const callMistakes: readonly Mistake[] = [
  ['a misspelt option of a call', "await client.payins.retrieve('a', { timeout: 5 })", 'timeout'],
  ['an option of a call that is a text', "await client.payins.retrieve('a', { retries: '3' })", 'string'],
  ['the option of a wait for a call', "await client.payins.retrieve('a', { maxWaitMs: 5 })", 'maxWaitMs'],
  ['a misspelt option of a call in a variable', 'const options: CallOptions = { deadline: 5 }', 'deadline'],
  ['a wait without options', "await client.payins.waitFor('a')", 'Expected 2 arguments'],
  ['a wait without a limit', "await client.payins.waitFor('a', {})", 'maxWaitMs'],
  ['a wait with a limit of another name', "await client.payouts.waitFor('a', { timeoutMs: 5 })", 'timeoutMs'],
  ['a loop without a limit', "client.payouts.watch('a', {})", 'maxWaitMs'],
  ['a wait with one option too many', 'const options: WaitOptions = { maxWaitMs: 5, retries: 1 }', 'retries'],
  ['currencies that are no list', "await client.balances.list({ currencies: 'EUR' })", 'string'],
  ['a misspelt list of currencies', "await client.balances.list({ currency: ['EUR'] })", 'currency'],
  [
    'a token for a browser without a limit',
    "await client.authTokens.shareable({ idPayin: 'a' })",
    'validitySecs',
  ],
  [
    'a token for a browser for a payout',
    "await client.authTokens.shareable({ idPayout: 'a', validitySecs: 60 })",
    'idPayout',
  ],
  [
    'a token for a browser in milliseconds',
    "await client.authTokens.shareable({ idPayin: 'a', validityMs: 60 })",
    'validityMs',
  ],
  [
    'a token request with a misspelt field',
    "await client.authTokens.createByAction({ action: 'PAYIN_INFO', idPayin: 'a' })",
    'idPayin',
  ],
  ['a token request without operations', 'await client.authTokens.create({})', 'operations'],
  [
    'a server token for a browser',
    "const { token } = await client.authTokens.create({ operations: ['GET /balances'] }); const shown: ShareableToken = token",
    'ServerToken',
  ],
  ['any text for a browser', "const shown: ShareableToken = 'eyJ'", 'string'],
  [
    'a server token as a text',
    "const { token } = await client.authTokens.create({ operations: ['GET /balances'] }); const text: string = token",
    'ServerToken',
  ],
  [
    'the text of a server token for a browser',
    "const { token } = await client.authTokens.create({ operations: ['GET /balances'] }); const shown: ShareableToken = token.reveal()",
    'string',
  ],
  [
    'a token for a browser as one of the server',
    "const token: ServerToken = await client.authTokens.shareable({ idPayin: 'a', validitySecs: 60 })",
    'ServerToken',
  ],
  ['an operation without its id', "operation('GET', '/payins/{idPayin}')", 'Expected 3 arguments'],
  ['an operation whose ids hold none', "operation('GET', '/payins/{idPayin}', {})", 'idPayin'],
  ['an operation with one of two ids', "operation('GET', '/a/{first}/{second}', { first: '1' })", 'second'],
  ['an operation whose id is a number', "operation('GET', '/payins/{idPayin}', { idPayin: 5 })", 'string'],
  ['an operation with another id', "operation('GET', '/payins/{idPayin}', { idPayout: 'a' })", 'idPayout'],
  [
    'an operation with one id too many',
    "operation('GET', '/balances', { idPayin: 'a' })",
    'Expected 2 arguments',
  ],
  ['a request without operations', "await client.request({ method: 'GET', path: '/reports' })", 'operations'],
  [
    'a request by a method in small letters',
    "await client.request({ method: 'get', path: '/reports', operations: [] })",
    '"get"',
  ],
  [
    'a request with a misspelt field',
    "await client.request({ method: 'GET', path: '/reports', operations: [], params: {} })",
    'params',
  ],
  [
    'a query that holds objects',
    "await client.request({ method: 'GET', path: '/reports', operations: [], query: { a: { b: 1 } } })",
    'b',
  ],
  [
    'an answer without a schema',
    "(await client.request({ method: 'GET', path: '/reports', operations: [] })).total",
    'unknown',
  ],
  [
    'what a schema does not hold',
    "(await client.request({ method: 'GET', path: '/reports', operations: [], response: report })).sum",
    'sum',
  ],
]

export const clientMistakes: readonly Mistake[] = [
  ['no credential', `${least} })`, 'privateKey'],
  ['a key and a signer', `${least}, privateKey, signer })`, 'undefined'],
  ['a key and a secret', `${least}, privateKey, merchantSecret: 's' })`, 'undefined'],
  ['a signer and a secret', `${least}, signer, merchantSecret: 's' })`, 'undefined'],
  ['all three credentials', `${least}, privateKey, signer, merchantSecret: 's' })`, 'undefined'],
  ['a passphrase without a key', `${least}, privateKeyPassphrase: 'p' })`, 'privateKey'],
  ['a passphrase beside a signer', `${least}, signer, privateKeyPassphrase: 'p' })`, 'undefined'],
  ['a key that may be missing', `${least}, privateKey: process.env.GATEWAY_PRIVATE_KEY })`, 'undefined'],
  ['a key and a signer from fromEnv', 'GatewayClient.fromEnv({ privateKey, signer })', 'undefined'],
  [
    'two credentials in a variable',
    'const o: ClientOptions = { baseUrl, merchantCode, privateKey, signer }',
    'undefined',
  ],
  [
    'a second credential over that of a sandbox',
    'new GatewayClient({ ...sandbox.clientOptions(), signer })',
    'undefined',
  ],
  ['no merchant code', 'new GatewayClient({ baseUrl, privateKey })', 'merchantCode'],
  ['no address', 'new GatewayClient({ merchantCode, privateKey })', 'baseUrl'],
  ['an unknown option', `${least}, privateKey, timeout: 5 })`, 'timeout'],
  ['an unknown option of fromEnv', 'GatewayClient.fromEnv({ timeout: 5 })', 'timeout'],
  ['a limit called true', `${least}, privateKey, rateLimit: true })`, "'true'"],
  [
    'a way of counting that there is not',
    `${least}, privateKey, rateLimit: { requestsPerSecond: 5, counted: 'often' } })`,
    '"often"',
  ],
  [
    'a family that there is not',
    `${least}, privateKey, operations: { refunds: ['GET /refunds'] } })`,
    'refunds',
  ],
  ['a limiter that is none', 'const limiter: Limiter = { take: () => undefined }', 'take'],
  ['a signer that gives a text', "const own: Signer = { sign: async () => 'base64' }", 'string'],
  [
    'a variable of the environment that there is not',
    'GatewayClient.fromEnv({}, { GATEWAY_URL: baseUrl })',
    'GATEWAY_URL',
  ],
]

export const errorMistakes: readonly Mistake[] = [
  [
    'differences before the code is known',
    'if (isGatewayError(error)) return error.differences',
    'differences',
  ],
  ['the pause of an error of another code', after('permission', 'retryAfterMs'), 'retryAfterMs'],
  ['the operation of an error of another code', after('not_found', 'operation'), 'operation'],
  ['the last payment of an error of another code', after('timeout', 'lastPayment'), 'lastPayment'],
  ['the option of an error of another code', after('invalid_input', 'option'), 'option'],
  ['the field of an error of another code', after('configuration', 'field'), 'field'],
  ['the status of what has no answer', after('client_closed', 'status'), 'status'],
  [
    'a pause that may not be known, as a number',
    "if (isGatewayError(error) && error.code === 'rate_limit') error.retryAfterMs.toFixed()",
    'undefined',
  ],
  [
    'a code that there is not',
    "if (isGatewayError(error) && error.code === 'no_such_code') return",
    'no_such_code',
  ],
  [
    'an outcome that there is not',
    "if (isGatewayError(error) && error.outcome === 'failed') return",
    'failed',
  ],
  [
    'an outcome that may be missing',
    'if (isGatewayError(error)) { const known: Outcome = error.outcome }',
    'undefined',
  ],
  ['an error that is not known to be one', 'error.code', 'unknown'],
  [
    'a switch that leaves codes out',
    "if (!isGatewayError(error)) return; switch (error.code) { case 'timeout': return; default: { const rest: never = error } }",
    'never',
  ],
  [
    'a switch that leaves an outcome out',
    "if (!hasOutcome(error)) return; switch (error.outcome) { case 'unknown': return; default: { const rest: never = error.outcome } }",
    'never',
  ],
  [
    'a conflict without differences',
    "new IdempotencyConflictError('x.', { status: 409, outcome: 'accepted' })",
    'differences',
  ],
  [
    'a conflict of unknown outcome',
    "new IdempotencyConflictError('x.', { status: 409, outcome: 'unknown', differences: [] })",
    '"unknown"',
  ],
  ['a permission error without its operation', "new PermissionError('x.', { status: 403 })", 'operation'],
  ['an error without its details', "new NotFoundError('x.')", 'Expected 2-3 arguments'],
  [
    'an error with a field of another',
    "new PermissionError('x.', { status: 403, operation: 'GET /a', differences: [] })",
    'differences',
  ],
  ['an outcome of a wait', "new WaitTimeoutError('x.', { outcome: 'unknown' })", 'undefined'],
  ['an error of no class', "new GatewayError('x.')", 'abstract'],
]

export const resultMistakes: readonly Mistake[] = [
  [
    'the status of a payout that was accepted just now',
    'const made = await client.payouts.create({ paymentRequested, paymentMethod }); if (!made.replayed) return made.process',
    'process',
  ],
  [
    'what was not compared before replayed is known',
    'return (await client.payouts.create({ paymentRequested, paymentMethod })).notCompared',
    'notCompared',
  ],
  ['a fee that may be missing', "return (await client.payouts.retrieve('a')).fee.amount", 'null'],
  [
    'the status of a payin that may show none',
    "return (await client.payins.retrieve('a')).process.status",
    'null',
  ],
  ['a field that no payin has', "return (await client.payins.retrieve('a')).status", 'status'],
  ['a promise for its payment', "return client.payouts.retrieve('a').process", 'process'],
  ['a channel that may be missing', 'return (await client.merchantInfo.retrieve()).channelInfo.name', 'null'],
  ['what is no payment', 'isFinal({ id: 5 })', 'id'],
  [
    'a misspelt word of the statuses that a gateway has',
    "return statusOf<'PENDING' | 'FAILED'>(await client.payins.retrieve('a')) === 'PENDNIG'",
    '"PENDNIG"',
  ],
  [
    'a channel that there is not',
    "onGatewayEvent('merchant-gateway:calls', () => {})",
    'merchant-gateway:calls',
  ],
  ['a field that no event has', "onGatewayEvent('merchant-gateway:call:end', ({ ms }) => ms)", 'ms'],
]

export const otherEntryMistakes: readonly Mistake[] = [
  ['a receiver without a client', "new CallbackReceiver({ publicUrl: 'https://a.example' })", 'client'],
  [
    'a misspelt option of a receiver',
    'new CallbackReceiver({ client, publicUrl: baseUrl, onPayIn: () => {} })',
    'onPayIn',
  ],
  [
    'one secret that is no list',
    "new CallbackReceiver({ client, publicUrl: baseUrl, secrets: 'x' })",
    'string',
  ],
  [
    'the id of a payout of a payin',
    'new CallbackReceiver({ client, publicUrl: baseUrl, onPayin: (_, { idPayout }) => idPayout })',
    'idPayout',
  ],
  ['a misspelt option of a sandbox', 'createSandbox({ payAfter: 5 })', 'payAfter'],
  ['a fault that there is not', "sandbox.fault({ action: { kind: 'explode' } })", 'explode'],
  ['a misspelt option of the instrumentation', 'instrumentGateway({ tracer: undefined })', 'tracer'],
]

const payoutOfJob = "{ idPayout: 'a', paymentRequested, paymentMethod }"

export const jobMistakes: readonly Mistake[] = [
  ['a job of a kind that there is not', "paymentJob(client, 'refund')", '"refund"'],
  [
    'a run of a job that does not say how often it was started',
    `await paymentJob(client, 'payout')(${payoutOfJob}, {})`,
    'starts',
  ],
  [
    'a payin for the job of payouts',
    "await paymentJob(client, 'payout')({ idPayin: 'a', paymentRequested, paymentMethod }, { starts: 1 })",
    'idPayin',
  ],
  [
    'a payment without an id for a job',
    "await paymentJob(client, 'payout')({ paymentRequested, paymentMethod }, { starts: 1 })",
    'idPayout',
  ],
  [
    'the payment of a job that runs again, which may have none',
    `const verdict = await paymentJob(client, 'payout')(${payoutOfJob}, { starts: 1 }); return verdict.then === 'again' && verdict.payment.process`,
    'undefined',
  ],
  [
    'a reason to stop that there is not',
    `const verdict = await paymentJob(client, 'payout')(${payoutOfJob}, { starts: 1 }); return verdict.then === 'stop' && verdict.because === 'look'`,
    '"look"',
  ],
  ['a misspelt option of a job', "paymentJob(client, 'payin', { firstPoll: 5 })", 'firstPoll'],
  [
    'the data of a payout for the processor of payins',
    "new Worker<PaymentData<'payout'>>('payouts', paymentProcessor(client, 'payin'), { connection })",
    '"payin"',
  ],
  ['the settings of a job without its payment', "await queue.add('payout', {}, jobOptions())", '1 arguments'],
  ['the settings of a job by its id alone', "jobOptions('a')", 'string'],
  [
    'the data of a payment without an id',
    'paymentData(client, { paymentRequested, paymentMethod })',
    'idPay',
  ],
  [
    'the data of a payment with a misspelt field',
    "paymentData(client, { idPayout: 'a', paymentRequested, paymentMethod, calbackUrl: 'https://a.example' })",
    'calbackUrl',
  ],
  [
    'a key to encrypt with that is no list',
    "paymentData(client, { idPayin: 'a' }, { encryptionKeys: 'x' })",
    'string',
  ],
  [
    'a misspelt option of a processor',
    "paymentProcessor(client, 'payout', { onChanged: () => {} })",
    'onChanged',
  ],
  [
    'the id of a payout of what a payin has become',
    "paymentProcessor(client, 'payin', { onCreated: ({ idPayout }) => idPayout })",
    'idPayout',
  ],
  ['a queue in place of a worker', 'checkWorker(workerOptions)', 'opts'],
  ['a wake without a payment', 'await wake(queue)', 'Expected 2 arguments'],
]
