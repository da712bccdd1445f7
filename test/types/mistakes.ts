/**
 * Programs that must not compile, one a line, each with what the compiler has to name. What they use is declared by
 * `compiler.ts`.
 */
export const mistakes = `
client.payins.create({ ...payment, calbackUrl: 'https://a.example' }) // calbackUrl
client.payins.create({ ...payment, retrunUrl: 'https://a.example' }) // retrunUrl
client.payins.create({ paymentRequested, paymentMethod: { ...paymentMethod, paymentOperatorCod: 'A' } }) // paymentOperatorCod
client.payins.create({ paymentRequested, paymentMethod: { ...paymentMethod, emailAdress: 'x' } }) // emailAdress
client.payouts.create({ paymentRequested, paymentMethod: { ...paymentMethod, account: { accountNumer: '1' } } }) // accountNumer
client.payouts.create({ paymentRequested: { money: { amount: 1, curencyCode: 'EUR' } }, paymentMethod }) // curencyCode
client.payouts.create({ paymentRequested: { ...paymentRequested, note: 'rent' }, paymentMethod }) // note
client.payins.create({ ...payment, idPayout: 'a' }) // idPayout
client.payouts.create({ ...payment, idPayin: 'a' }) // idPayin
client.payouts.create({ ...payment, returnUrl: 'https://a.example' }) // returnUrl
client.payouts.create({ ...payment, id: 'a' }) // 'id'
client.payouts.create({ ...payment, idempotencyKey: 'a' }) // idempotencyKey
client.payouts.create({ ...payment, priority: 'HIGH' }) // priority
client.payouts.create({ ...payment, extra: 'HIGH' }) // string
client.payouts.create({ ...payment, idPayout: 5 }) // number
client.payouts.create({ ...payment, idPayout: undefined }) // idPayout
client.payouts.create({ paymentMethod }) // paymentRequested
client.payouts.create({ paymentRequested }) // paymentMethod
client.payins.create({ paymentRequested, paymentMethod: { paymentOperatorCode: 'A' } }) // paymentMethodCode
client.payins.create({ paymentRequested: { money: { amount: 1 } }, paymentMethod }) // currencyCode
client.payins.create() // Expected 1-2 arguments
const some: MoneyInput = { amount: 5n, currencyCode: 'EUR' } // bigint
money('10.50') // Expected 2 arguments
const request: PayinCreateInput = { ...payment, calbackUrl: 'https://a.example' } // calbackUrl
const request: PayoutCreateInput = { ...payment, idPayin: 'a' } // idPayin
const request: PayoutCreateInput = { paymentRequested, paymentMethod: { ...paymentMethod, acount: {} } } // acount
client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR', currency: 'EUR' }) // currency
client.payins.retrieve() // Expected 1-2 arguments

client.payins.retrieve('a', { timeout: 5 }) // timeout
client.payins.retrieve('a', { retries: '3' }) // string
client.payins.retrieve('a', { maxWaitMs: 5 }) // maxWaitMs
const options: CallOptions = { deadline: 5 } // deadline
client.payins.waitFor('a') // Expected 2 arguments
client.payins.waitFor('a', {}) // maxWaitMs
client.payouts.waitFor('a', { timeoutMs: 5 }) // timeoutMs
client.payouts.watch('a', {}) // maxWaitMs
const options: WaitOptions = { maxWaitMs: 5, retries: 1 } // retries
client.balances.list({ currencies: 'EUR' }) // string
client.balances.list({ currency: ['EUR'] }) // currency
client.authTokens.shareable({ idPayin: 'a' }) // validitySecs
client.authTokens.shareable({ idPayout: 'a', validitySecs: 60 }) // idPayout
client.authTokens.shareable({ idPayin: 'a', validityMs: 60 }) // validityMs
client.authTokens.createByAction({ action: 'PAYIN_INFO', idPayin: 'a' }) // idPayin
client.authTokens.create({}) // operations
const shown: ShareableToken = serverToken // ServerToken
const shown: ShareableToken = serverToken.reveal() // string
const shown: ShareableToken = 'eyJ' // string
const text: string = serverToken // ServerToken
const token: ServerToken = await client.authTokens.shareable({ idPayin: 'a', validitySecs: 60 }) // ServerToken
operation('GET', '/payins/{idPayin}') // Expected 3 arguments
operation('GET', '/payins/{idPayin}', {}) // idPayin
operation('GET', '/a/{first}/{second}', { first: '1' }) // second
operation('GET', '/payins/{idPayin}', { idPayin: 5 }) // string
operation('GET', '/payins/{idPayin}', { idPayout: 'a' }) // idPayout
operation('GET', '/balances', { idPayin: 'a' }) // Expected 2 arguments
client.request({ method: 'GET', path: '/reports' }) // operations
client.request({ method: 'get', path: '/reports', operations: [] }) // "get"
client.request({ method: 'GET', path: '/reports', operations: [], params: {} }) // params
client.request({ method: 'GET', path: '/reports', operations: [], query: { a: { b: 1 } } }) // b
(await client.request({ method: 'GET', path: '/reports', operations: [] })).total // unknown
(await client.request({ method: 'GET', path: '/reports', operations: [], response: report })).sum // sum

new GatewayClient(gateway) // privateKey
new GatewayClient({ ...gateway, privateKey, signer }) // undefined
new GatewayClient({ ...gateway, privateKey, merchantSecret: 's' }) // undefined
new GatewayClient({ ...gateway, signer, merchantSecret: 's' }) // undefined
new GatewayClient({ ...gateway, privateKeyPassphrase: 'p' }) // privateKey
new GatewayClient({ ...gateway, signer, privateKeyPassphrase: 'p' }) // undefined
new GatewayClient({ ...gateway, privateKey: process.env.GATEWAY_PRIVATE_KEY }) // undefined
GatewayClient.fromEnv({ privateKey, signer }) // undefined
const options: ClientOptions = { ...gateway, privateKey, signer } // undefined
new GatewayClient({ ...sandbox.clientOptions(), signer }) // undefined
new GatewayClient({ baseUrl, privateKey }) // merchantCode
new GatewayClient({ merchantCode, privateKey }) // baseUrl
new GatewayClient({ ...gateway, privateKey, timeout: 5 }) // timeout
GatewayClient.fromEnv({ timeout: 5 }) // timeout
new GatewayClient({ ...gateway, privateKey, rateLimit: true }) // 'true'
new GatewayClient({ ...gateway, privateKey, rateLimit: { requestsPerSecond: 5, counted: 'often' } }) // "often"
new GatewayClient({ ...gateway, privateKey, operations: { refunds: ['GET /refunds'] } }) // refunds
const limiter: Limiter = { take: () => undefined } // take
const own: Signer = { sign: async () => 'base64' } // string
GatewayClient.fromEnv({}, { GATEWAY_URL: baseUrl }) // GATEWAY_URL

if (isGatewayError(error)) return error.differences // differences
if (isGatewayError(error) && error.code === 'permission') return error.retryAfterMs // retryAfterMs
if (isGatewayError(error) && error.code === 'not_found') return error.operation // operation
if (isGatewayError(error) && error.code === 'timeout') return error.lastPayment // lastPayment
if (isGatewayError(error) && error.code === 'invalid_input') return error.option // option
if (isGatewayError(error) && error.code === 'configuration') return error.field // field
if (isGatewayError(error) && error.code === 'client_closed') return error.status // status
if (isGatewayError(error) && error.code === 'rate_limit') error.retryAfterMs.toFixed() // undefined
if (isGatewayError(error) && error.code === 'no_such_code') return // no_such_code
if (isGatewayError(error) && error.outcome === 'failed') return // failed
if (isGatewayError(error)) { const known: Outcome = error.outcome } // undefined
error.code // unknown
if (isGatewayError(error)) switch (error.code) { case 'timeout': return; default: error satisfies never } // never
if (hasOutcome(error)) switch (error.outcome) { case 'unknown': return; default: error.outcome satisfies never } // never
new IdempotencyConflictError('x.', { status: 409, outcome: 'accepted' }) // differences
new IdempotencyConflictError('x.', { status: 409, outcome: 'unknown', differences: [] }) // "unknown"
new PermissionError('x.', { status: 403 }) // operation
new NotFoundError('x.') // Expected 2-3 arguments
new PermissionError('x.', { status: 403, operation: 'GET /a', differences: [] }) // differences
new WaitTimeoutError('x.', { outcome: 'unknown' }) // undefined
new GatewayError('x.') // abstract

const made = await client.payouts.create(payment); if (!made.replayed) return made.process // process
return (await client.payouts.create(payment)).notCompared // notCompared
return (await client.payouts.retrieve('a')).fee.amount // null
return (await client.payins.retrieve('a')).process.status // null
return (await client.payins.retrieve('a')).status // status
return client.payouts.retrieve('a').process // process
return (await client.merchantInfo.retrieve()).channelInfo.name // null
isFinal({ id: 5 }) // id
statusOf<'PENDING' | 'FAILED'>(await client.payins.retrieve('a')) === 'PENDNIG' // "PENDNIG"
onGatewayEvent('merchant-gateway:calls', () => {}) // merchant-gateway:calls
onGatewayEvent('merchant-gateway:call:end', ({ ms }) => ms) // ms

new CallbackReceiver({ publicUrl: 'https://a.example' }) // client
new CallbackReceiver({ client, publicUrl: baseUrl, onPayIn: () => {} }) // onPayIn
new CallbackReceiver({ client, publicUrl: baseUrl, secrets: 'x' }) // string
new CallbackReceiver({ client, publicUrl: baseUrl, onPayin: (_, { idPayout }) => idPayout }) // idPayout
createSandbox({ payAfter: 5 }) // payAfter
sandbox.fault({ action: { kind: 'explode' } }) // explode
instrumentGateway({ tracer: undefined }) // tracer

paymentJob(client, 'refund') // "refund"
paymentJob(client, 'payout')({ idPayout: 'a', ...payment }, {}) // starts
paymentJob(client, 'payout')({ idPayin: 'a', ...payment }, { starts: 1 }) // idPayin
paymentJob(client, 'payout')(payment, { starts: 1 }) // idPayout
verdict.then === 'again' && verdict.payment.process // undefined
verdict.then === 'stop' && verdict.because === 'look' // "look"
paymentJob(client, 'payin', { firstPoll: 5 }) // firstPoll
new Worker<PaymentData<'payout'>>('payouts', paymentProcessor(client, 'payin'), { connection }) // "payin"
queue.add('payout', {}, jobOptions()) // 1 arguments
jobOptions('a') // string
paymentData(client, payment) // idPay
paymentData(client, { idPayout: 'a', ...payment, calbackUrl: 'https://a.example' }) // calbackUrl
paymentData(client, { idPayin: 'a' }, { encryptionKeys: 'x' }) // string
paymentProcessor(client, 'payout', { onChanged: () => {} }) // onChanged
paymentProcessor(client, 'payin', { onCreated: ({ idPayout }) => idPayout }) // idPayout
checkWorker(workerOptions) // opts
wake(queue) // Expected 2 arguments
`
