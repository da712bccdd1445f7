/** A program that must compile: what it does, and its text. */
export type Program = readonly [what: string, program: string]

const request = '{ paymentRequested, paymentMethod }'

export const requestPrograms: readonly Program[] = [
  ['a payin with what it needs', `await client.payins.create(${request})`],
  [
    'a payin with all that it can have',
    `await client.payins.create({
      idPayin: 'a',
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: {
        paymentMethodCode: 'VAPAY',
        paymentOperatorCode: 'BANK_A',
        account: { accountName: 'A', accountNumber: '1' },
        emailAddress: 'a@shop.example',
      },
      callbackUrl: 'https://a.example',
      returnUrl: 'https://b.example',
    })`,
  ],
  ['a payout with its id', "await client.payouts.create({ idPayout: 'a', paymentRequested, paymentMethod })"],
  [
    'a payout with a callbackUrl',
    "await client.payouts.create({ paymentRequested, paymentMethod, callbackUrl: 'https://a.example' })",
  ],
  [
    'money as a number',
    "await client.payouts.create({ paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } }, paymentMethod })",
  ],
  [
    'money as a text',
    "await client.payouts.create({ paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } }, paymentMethod })",
  ],
  [
    'what the gateway has added, at the top',
    `await client.payins.create({ ...${request}, extra: { priority: 'HIGH' } })`,
  ],
  [
    'what it has added to the money',
    "await client.payins.create({ paymentRequested: { money: { ...money('1', 'EUR'), extra: { scale: 2 } } }, paymentMethod })",
  ],
  [
    'what it has added beside the money',
    "await client.payins.create({ paymentRequested: { ...paymentRequested, extra: { note: 'rent' } }, paymentMethod })",
  ],
  [
    'what it has added to the method and the account',
    "await client.payouts.create({ paymentRequested, paymentMethod: { ...paymentMethod, extra: {}, account: { accountNumber: '1', extra: { branch: '1' } } } })",
  ],
  [
    'a code of a method that the specification does not name',
    "await client.payins.create({ paymentRequested, paymentMethod: { paymentMethodCode: 'CARD' } })",
  ],
  ['a request in a variable', `const some: PayinCreateInput = ${request}; await client.payins.create(some)`],
  [
    'a request that is spread',
    `const some: PayoutCreateInput = ${request}; await client.payouts.create({ ...some, idPayout: 'a' })`,
  ],
  [
    'a field that is there sometimes',
    `const url: string | undefined = undefined; await client.payins.create({ ...${request}, ...(url === undefined ? {} : { callbackUrl: url }) })`,
  ],
  [
    'optional fields of a request that may be undefined',
    `const some = process.env.SOME; await client.payins.create({
      paymentRequested: { money: { ...money('1', 'EUR'), extra: undefined }, extra: undefined },
      paymentMethod: {
        paymentMethodCode: 'VAPAY',
        paymentOperatorCode: some,
        account: some === undefined ? undefined : { accountName: some, accountNumber: some, extra: undefined },
        emailAddress: some,
        extra: undefined,
      },
      callbackUrl: some,
      returnUrl: some,
      extra: undefined,
    })`,
  ],
  [
    'optional fields of other requests that may be undefined',
    `await client.balances.list({ currencies: undefined })
    await client.authTokens.create({ operations: [], money: undefined, validitySecs: undefined })
    await client.request({ method: 'GET', path: '/a', operations: [], query: undefined, pathTemplate: undefined, response: undefined, idempotent: undefined })`,
  ],
  [
    'a payment of your own whose fields may be undefined',
    'const mine: { process: { status: string | undefined, processedAt: string | undefined } | undefined } = { process: undefined }; isPaid(mine)',
  ],
  [
    'the options of a call',
    `await client.payins.create(${request}, { timeoutMs: 5, deadlineMs: 5, retries: 0, signal: AbortSignal.timeout(5) })`,
  ],
  [
    'options that are undefined',
    `await client.payins.create(${request}, { signal: undefined, retries: undefined })`,
  ],
  [
    'an operator that is chosen from a list',
    `const { data } = await client.payins.paymentOptions(money('1', 'EUR'))
    const operator = data[0]?.paymentOperators[0]
    if (operator !== undefined) await client.payins.create({ paymentRequested, paymentMethod: { paymentMethodCode: data[0]?.paymentMethodCode ?? 'VAPAY', paymentOperatorCode: operator.code } })`,
  ],
]

export const callPrograms: readonly Program[] = [
  ['a look', "const payin: Payin = await client.payins.retrieve('a')"],
  ['a look with a limit', "const payout: Payout = await client.payouts.retrieve('a', { deadlineMs: 1000 })"],
  ['a wait', "const payin: Payin = await client.payins.waitFor('a', { maxWaitMs: 60_000 })"],
  [
    'a wait that can be ended',
    "await client.payouts.waitFor('a', { maxWaitMs: 60_000, signal: AbortSignal.timeout(5) })",
  ],
  [
    'a loop over a payin',
    "for await (const payin of client.payins.watch('a', { maxWaitMs: 5 })) payin.process?.status satisfies string | undefined",
  ],
  [
    'a loop over a payout',
    "for await (const payout of client.payouts.watch('a', { maxWaitMs: 5 })) payout.process.status satisfies string",
  ],
  ['news of a callback', "client.payins.notify('a'); client.payouts.notify('b')"],
  [
    'the account of a customer',
    "const { account } = await client.payins.customerAccount('a'); account satisfies unknown",
  ],
  ['all balances', 'const { balances } = await client.balances.list()'],
  [
    'some balances',
    "const { notReturned } = await client.balances.list({ currencies: ['EUR'] }, { retries: 0 }); notReturned satisfies readonly string[] | undefined",
  ],
  [
    'code lists',
    'const lists: unknown[] = [await client.currencies.list(), await client.paymentOperators.list()]',
  ],
  [
    'the merchant',
    'const info: MerchantInfo = await client.merchantInfo.retrieve(); info.channelInfo?.name satisfies string | undefined',
  ],
  [
    'a token for a browser',
    "const shown: ShareableToken = await client.authTokens.shareable({ idPayin: 'a', validitySecs: 60 }); const text: string = shown",
  ],
  [
    'a token for a list of operations',
    "const { token, lifetimeMs } = await client.authTokens.create({ operations: ['GET /balances'], validitySecs: 60 }); const own: ServerToken = token; own.reveal() satisfies string",
  ],
  [
    'a token for an action',
    "const asked: TokenByActionInput = { action: 'PAYIN_CREATE', idPayment: 'a', money: money('1', 'EUR') }; await client.authTokens.createByAction(asked)",
  ],
  [
    'a token that is read',
    "const { expiresAt, claims } = client.authTokens.decode('eyJ'); claims.sub satisfies unknown",
  ],
  ['an operation without ids', "operation('GET', '/balances') satisfies string"],
  ['an operation with an id', "operation('GET', '/payins/{idPayin}', { idPayin: 'a' })"],
  ['an operation with two', "operation('GET', '/a/{first}/{second}', { first: '1', second: '2' })"],
  ['an operation whose braces are a pattern', "operation('GET', '/reports/\\\\d{4}')"],
  [
    'a request whose answer is unknown',
    "const answer: unknown = await client.request({ method: 'GET', path: '/reports', operations: ['GET /reports'] })",
  ],
  [
    'a request with a schema',
    "(await client.request({ method: 'GET', path: '/reports', operations: [], response: report })).total satisfies number",
  ],
  [
    'a request with all that it can have',
    "await client.request({ method: 'POST', path: '/reports/1', pathTemplate: '/reports/{n}', query: { a: 1, b: ['x'], c: undefined }, body: {}, operations: [], idempotent: true }, { retries: 1 })",
  ],
  [
    'the answer behind a result',
    "responseOf(await client.payins.retrieve('a'))?.requestId satisfies string | undefined",
  ],
  [
    'options in variables',
    'const options: CallOptions = { retries: 1 }; const wait: WaitOptions = { maxWaitMs: 5 }; await client.payins.waitFor(String(options.retries), wait)',
  ],
]

export const clientPrograms: readonly Program[] = [
  ['a key', 'new GatewayClient({ baseUrl, merchantCode, privateKey })'],
  [
    'a key with a passphrase',
    "new GatewayClient({ baseUrl, merchantCode, privateKey, privateKeyPassphrase: 'p' })",
  ],
  [
    'a passphrase that may be missing',
    'new GatewayClient({ baseUrl, merchantCode, privateKey, privateKeyPassphrase: process.env.PASSPHRASE })',
  ],
  [
    'a key as bytes',
    'new GatewayClient({ baseUrl: new URL(baseUrl), merchantCode, privateKey: new Uint8Array() })',
  ],
  ['a signer', 'new GatewayClient({ baseUrl, merchantCode, signer })'],
  ['a secret', "new GatewayClient({ baseUrl, merchantCode, merchantSecret: 's' })"],
  [
    'a signer beside a key that is undefined',
    'new GatewayClient({ baseUrl, merchantCode, privateKey: undefined, signer })',
  ],
  [
    'one of two credentials',
    'const kms: Signer | undefined = undefined as Signer | undefined; new GatewayClient({ baseUrl, merchantCode, ...(kms === undefined ? { privateKey } : { signer: kms }) })',
  ],
  ['the client of a sandbox', 'new GatewayClient(sandbox.clientOptions())'],
  [
    'the same with other limits',
    'new GatewayClient({ ...sandbox.clientOptions(), retries: 0, rateLimit: false })',
  ],
  [
    'the same with another credential',
    'const { privateKey: _, ...gateway } = sandbox.clientOptions(); new GatewayClient({ ...gateway, signer })',
  ],
  [
    'options that are there sometimes',
    'const slow = baseUrl.length > 5; new GatewayClient({ baseUrl, merchantCode, privateKey, ...(slow ? { timeoutMs: 60_000 } : {}) })',
  ],
  ['the environment', 'GatewayClient.fromEnv()'],
  ['the environment and some options', 'GatewayClient.fromEnv({ retries: 0, logger: console })'],
  ['the environment and a signer', 'GatewayClient.fromEnv({ signer })'],
  [
    'the environment and a passphrase',
    "GatewayClient.fromEnv({ privateKeyPassphrase: 'p' }, { GATEWAY_PRIVATE_KEY_FILE: 'merchant.key' })",
  ],
  [
    'options in a variable',
    'const options: ClientOptions = { baseUrl, merchantCode, privateKey, retries: undefined, rateLimit: 5 }; new GatewayClient({ ...options, timeoutMs: 5 })',
  ],
  [
    'a limiter',
    'const limiter: Limiter = { acquire: async () => {} }; new GatewayClient({ baseUrl, merchantCode, privateKey, rateLimit: limiter })',
  ],
  [
    'a way of counting',
    "GatewayClient.fromEnv({ rateLimit: { requestsPerSecond: 5, counted: 'evenly-spaced' } })",
  ],
  [
    'a status that stands elsewhere',
    "GatewayClient.fromEnv({ statuses: { field: 'state', processedAtField: 'doneAt', paid: ['COMPLETED'], final: ['BOUNCED'] } })",
  ],
  ['the end of a client', 'await using own = GatewayClient.fromEnv(); await own.close()'],
]

const codes = [
  ...['configuration', 'invalid_input', 'signing', 'authentication', 'permission', 'not_found'],
  ...['idempotency_conflict', 'rate_limit', 'invalid_request', 'server', 'connection', 'timeout', 'aborted'],
  ...['unusable_response', 'wait_timeout', 'queue_full', 'client_closed', 'refund_refused'],
]
const after = (code: string, use: string) => `if (isGatewayError(error) && error.code === '${code}') ${use}`

export const errorPrograms: readonly Program[] = [
  [
    'what README asks',
    "if (!isGatewayError(error) || error.outcome === undefined) throw error; if (error.outcome === 'unknown') error.message.length",
  ],
  [
    'the fields of every error',
    'if (isGatewayError(error)) [error.code, error.message, error.idPayin, error.idPayout, error.outcome, error.attempts, error.cause, error.toJSON()]',
  ],
  [
    'the differences of a conflict',
    after(
      'idempotency_conflict',
      "{ const fields: readonly string[] = error.differences; error.outcome satisfies 'accepted' }",
    ),
  ],
  ['the pause of a rate limit', after('rate_limit', '{ const ms: number | undefined = error.retryAfterMs }')],
  [
    'the last payment of a wait',
    after(
      'wait_timeout',
      '{ if (error.lastPayment !== undefined) statusOf(error.lastPayment) satisfies string | undefined }',
    ),
  ],
  ['the operation of a token', after('permission', 'error.operation.length')],
  ['the option of a client', after('configuration', '{ const option: string | undefined = error.option }')],
  ['the field of a request', after('invalid_input', '{ const field: string | undefined = error.field }')],
  ['what is wrong with an answer', after('unusable_response', 'error.issues.join()')],
  ['the clock', after('authentication', '{ const ms: number | undefined = error.clockAheadMs }')],
  [
    'the status of a refusal',
    after('invalid_request', '[error.status.toFixed(), error.gatewayMessage?.length]'),
  ],
  [
    'the status, wherever there is one',
    "if (isGatewayError(error) && 'status' in error) error.status satisfies number | undefined",
  ],
  [
    'a switch over every code',
    `if (!isGatewayError(error)) return
    switch (error.code) { ${codes.map((code) => `case '${code}':`).join(' ')} return; default: { const rest: never = error } }`,
  ],
  [
    'a switch over every outcome',
    "if (!hasOutcome(error)) return; switch (error.outcome) { case 'not-accepted': case 'unknown': case 'accepted': return; default: { const rest: never = error } }",
  ],
  [
    'a code after an outcome',
    "if (hasOutcome(error) && error.code === 'idempotency_conflict') error.differences.join()",
  ],
  ['the error of a create', 'const told = ({ outcome, idPayin }: CreateError): Outcome => outcome'],
  [
    'an error by its class',
    'if (error instanceof IdempotencyConflictError) error.differences.join(); if (error instanceof GatewayError) error.code satisfies GatewayErrorCode',
  ],
  [
    'errors for a test',
    "const fakes: AnyGatewayError[] = [new NotFoundError('x.', { status: 404 }), new WaitTimeoutError('x.'), new PermissionError('x.', { status: 403, operation: 'GET /a', idPayin: 'a' }, new Error('why'))]",
  ],
  [
    'the details of an error',
    "const details: ErrorDetails<IdempotencyConflictError> = { status: 409, outcome: 'accepted', differences: [] }",
  ],
]

export const resultPrograms: readonly Program[] = [
  [
    'what a create gives, as it stands',
    `const made = await client.payins.create(${request}); [isFinal(made), isPaid(made), statusOf(made), made.idPayin, made.paymentMethodResponse?.reference]`,
  ],
  [
    'what a create found',
    `const made = await client.payouts.create(${request}); if (made.replayed) [made.process.status, made.notCompared.length]; else made.paymentRequested.money.amount`,
  ],
  [
    'a status that no specification names',
    "const { process } = await client.payouts.retrieve('a'); if (process.status === 'SUCCESS' || process.status === 'ON_HOLD') return",
  ],
  [
    'a status that is one of the words of its gateway, or another one',
    "const status = statusOf<'PENDING' | 'FAILED'>(await client.payins.retrieve('a')); const text: string | undefined = status; [status === 'SUCCESS', status === 'FAILED', text]",
  ],
  ['a fee', "(await client.payouts.retrieve('a')).fee?.amount.toFixed(2)"],
  [
    'an account of a payin',
    "const account: Account | null | undefined = (await client.payins.retrieve('a')).paymentMethodResponse?.account; account?.bankCode",
  ],
  [
    'a payment of a store',
    "const kept: PaymentLike = { process: { status: 'SUCCESS' } }; isPaid(kept, { live: true })",
  ],
  [
    'a schema of this package',
    "const result = await schemas.payout['~standard'].validate({}); if (result.issues === undefined) result.value.process.status satisfies string",
  ],
  [
    'an event',
    "onGatewayEvent('merchant-gateway:call:end', ({ call, durationMs, error }) => [call.name, durationMs, error?.message])()",
  ],
]

export const otherEntryPrograms: readonly Program[] = [
  [
    'a receiver',
    `const receiver = new CallbackReceiver({
      client,
      publicUrl: 'https://a.example/callbacks',
      onPayin: async (payin, { idPayin, isNew, previous, signal }) => [payin.process?.status, idPayin, isNew, previous?.final, signal.aborted],
      onPayout: (payout, { idPayout }) => [payout.process.status, idPayout],
    })
    await receiver.drain()`,
  ],
  [
    'options of a receiver',
    "const options: CallbackReceiverOptions = { client, publicUrl: baseUrl, secrets: ['x'], dedupe: undefined }; new CallbackReceiver(options)",
  ],
  [
    'a sandbox',
    "const options: SandboxOptions = { payAfterMs: false, clock: 'virtual' }; await createSandbox(options).listen({ port: 0 })",
  ],
  [
    'a fault',
    "const fault: FaultOptions = { route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } }; sandbox.fault(fault).remove()",
  ],
  ['the instrumentation', 'instrumentGateway()(); instrumentGateway({ tracerProvider: undefined })()'],
]

const payoutOfJob = "{ idPayout: 'a', paymentRequested, paymentMethod }"

export const jobPrograms: readonly Program[] = [
  [
    'a job that any engine runs',
    `const verdict = await paymentJob(client, 'payout', { firstPollMs: 5 })(${payoutOfJob}, { starts: 1, state: undefined })
    switch (verdict.then) {
      case 'done': return verdict.payment.process.status
      case 'again': return [verdict.afterMs, verdict.state, verdict.created?.idPayout]
      case 'stop': return [verdict.because === 'review', verdict.error.message]
    }`,
  ],
  [
    'a job whose payment is loaded',
    "await paymentJob(client, 'payin')({ idPayin: 'a', load: async () => ({ paymentRequested, paymentMethod }) }, { starts: 1 })",
  ],
  [
    "payouts in BullMQ's own queue",
    `await queue.add('payout', paymentData(client, ${payoutOfJob}), jobOptions({ idPayout: 'a' }))
    await queue.addBulk([{ name: 'payout', data: paymentData(client, { idPayout: 'a' }), opts: jobOptions({ idPayout: 'a' }) }])`,
  ],
  [
    "a processor in BullMQ's own worker",
    `const processor = paymentProcessor(client, 'payin', {
      load: (id) => ({ paymentRequested, paymentMethod, returnUrl: id }),
      onCreated: ({ idPayin, paymentMethodResponse }) => [idPayin, paymentMethodResponse?.reference],
      onChange: (payin) => [isPaid(payin), statusOf(payin)],
    })
    const worker = new Worker('payins', processor, { connection, ...workerOptions, concurrency: 20 })
    checkWorker(worker)`,
  ],
  [
    'a callback that wakes a job',
    'new CallbackReceiver({ client, publicUrl: baseUrl, wake: async ({ idPayin }) => idPayin !== undefined && (await wake(queue, idPayin)), onPayin: () => {} })',
  ],
]
