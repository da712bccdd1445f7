/** Never run: the compiler reads it (`npm run types`). What has to compile, and no test, guide or example writes. */
import { CallbackReceiver, type CallbackReceiverOptions } from 'merchant-gateway/callbacks'
import type { FaultOptions, SandboxOptions } from 'merchant-gateway-sandbox'
import * as g from '../../src/index.js'

declare const client: g.GatewayClient
declare const signer: g.Signer
declare const report: g.StandardSchema<{ total: number }>
const gateway = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001' }
const privateKey = 'PEM'
const payment: g.PayinCreateInput & g.PayoutCreateInput = {
  paymentRequested: { money: g.money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'A_METHOD_OF_TOMORROW' },
}

/** Of what somebody has or has not. */
export async function optionalFields(some: string | undefined): Promise<void> {
  await client.payins.create({
    paymentRequested: { money: { ...g.money('1', 'EUR'), extra: undefined }, extra: undefined },
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
  })
  await client.balances.list({ currencies: undefined })
  await client.authTokens.create({ operations: [], money: undefined, validitySecs: undefined })
  const request = { method: 'GET', path: '/a', operations: [], query: undefined } as const
  await client.request({ ...request, pathTemplate: undefined, response: undefined, idempotent: undefined })
  new g.NotFoundError('no such payin.', { status: 404, idPayin: some, attempts: undefined })
  g.isPaid({ process: some === undefined ? undefined : { status: some, processedAt: undefined } })
}

export async function requests(): Promise<void> {
  const { paymentRequested, paymentMethod } = payment
  const money = { ...paymentRequested.money, extra: { scale: 2 } }
  await client.payins.create({ paymentRequested: { money, extra: { note: 'rent' } }, paymentMethod })
  const account = { accountNumber: '1', extra: { branch: '1' } }
  await client.payouts.create({ ...payment, paymentMethod: { ...paymentMethod, extra: {}, account } })
  const options: g.CallOptions = { timeoutMs: 5, retries: undefined, signal: undefined }
  await client.payouts.create({ ...payment, extra: { priority: 'HIGH' } }, options)
}

export async function reads(): Promise<void> {
  const payin: g.Payin = await client.payins.retrieve('a')
  payin.process?.status satisfies string | undefined
  payin.paymentMethodResponse?.account satisfies g.Account | null | undefined
  const wait: g.WaitOptions = { maxWaitMs: 60_000, signal: AbortSignal.timeout(5) }
  const payout: g.Payout = await client.payouts.waitFor('a', wait)
  if (payout.process.status === 'SUCCESS' || payout.process.status === 'ON_HOLD')
    payout.fee?.amount.toFixed(2)
  for await (const one of client.payouts.watch('a', wait)) one.process.status satisfies string
  const { notReturned } = await client.balances.list({ currencies: ['EUR'] })
  notReturned satisfies readonly string[] | undefined
  const info: g.MerchantInfo = await client.merchantInfo.retrieve()
  info.channelInfo?.name satisfies string | undefined
  const status = g.statusOf<'PENDING' | 'FAILED'>(payin)
  ;[status === 'SUCCESS', status === 'FAILED'] satisfies boolean[]
  const kept: g.PaymentLike = { process: { status: 'SUCCESS' } }
  g.isPaid(kept, { live: true })
  const result = await g.schemas.payout['~standard'].validate({})
  if (result.issues === undefined) result.value.process.status satisfies string
  const made = await client.payouts.create(payment)
  if (made.replayed) [made.process.status, made.notCompared.length] satisfies unknown[]
  else made.paymentRequested.money.amount satisfies number
  g.responseOf(made)?.requestId satisfies string | undefined
}

export async function tokensAndOtherRequests(): Promise<void> {
  const shown: g.ShareableToken = await client.authTokens.shareable({ idPayin: 'a', validitySecs: 60 })
  shown satisfies string
  const asked: g.TokenByActionInput = { action: 'PAYIN_CREATE', idPayment: 'a', money: g.money('1', 'EUR') }
  const { token }: { token: g.ServerToken } = await client.authTokens.createByAction(asked)
  token.reveal() satisfies string
  client.authTokens.decode('eyJ').claims.sub satisfies unknown
  g.operation('GET', '/a/{first}/{second}', { first: '1', second: '2' })
  g.operation('GET', '/reports/\\d{4}')
  const request = { method: 'GET', path: '/reports', operations: [] } as const
  ;(await client.request({ ...request, response: report })).total satisfies number
  await client.request({ ...request, query: { a: 1, b: ['x'], c: undefined }, idempotent: true })
}

export function clients(passphrase: string | undefined, kms: g.Signer | undefined): g.GatewayClient[] {
  const options: g.ClientOptions = { ...gateway, privateKey, retries: undefined, rateLimit: 5 }
  const limiter: g.Limiter = { acquire: async () => {} }
  return [
    new g.GatewayClient({ ...options, timeoutMs: 5, rateLimit: limiter }),
    new g.GatewayClient({ ...gateway, privateKey, privateKeyPassphrase: passphrase }),
    new g.GatewayClient({ ...gateway, baseUrl: new URL(gateway.baseUrl), privateKey: new Uint8Array() }),
    new g.GatewayClient({ ...gateway, merchantSecret: 's' }),
    new g.GatewayClient({ ...gateway, privateKey: undefined, signer }),
    new g.GatewayClient({ ...gateway, ...(kms === undefined ? { privateKey } : { signer: kms }) }),
    g.GatewayClient.fromEnv({ signer }),
    g.GatewayClient.fromEnv({ privateKeyPassphrase: 'p' }, { GATEWAY_PRIVATE_KEY_FILE: 'merchant.key' }),
    g.GatewayClient.fromEnv({ rateLimit: { requestsPerSecond: 5, counted: 'evenly-spaced' } }),
    g.GatewayClient.fromEnv({ statuses: { field: 'state', paid: ['COMPLETED'], final: ['BOUNCED'] } }),
  ]
}

/** After a switch over some codes, the others are left. */
export function someCodes(error: g.AnyGatewayError): unknown {
  switch (error.code) {
    case 'configuration':
      return error.option satisfies string | undefined
    case 'invalid_input':
      return error.field satisfies string | undefined
    case 'authentication':
      return error.clockAheadMs satisfies number | undefined
    case 'permission':
      return error.operation satisfies string
    case 'idempotency_conflict':
      return [error.differences satisfies readonly string[], error.outcome satisfies 'accepted']
    case 'rate_limit':
      return error.retryAfterMs satisfies number | undefined
    case 'invalid_request':
      return [error.status satisfies number, error.gatewayMessage satisfies string | undefined]
    case 'unusable_response':
      return error.issues satisfies readonly string[]
    case 'wait_timeout':
      return error.lastPayment && g.statusOf(error.lastPayment)
    default:
      error.code satisfies Exclude<g.GatewayErrorCode, 'configuration' | 'wait_timeout'>
      return [error.idPayin, error.idPayout, error.outcome, error.attempts, error.cause, error.toJSON()]
  }
}

/** Every error has one of the codes, so a switch over all of them leaves none, and a table by code is whole. */
export function everyCode(error: Exclude<g.AnyGatewayError, { code: g.GatewayErrorCode }>): never {
  return error
}

export function whatItMeans(error: g.AnyGatewayError): unknown {
  const meaning: g.ErrorCodeMeaning = g.errorCodes[error.code]
  const byJob: Record<typeof meaning.job, string> = {
    refused: 'tell whoever ordered',
    conflict: 'ask a person',
    setup: 'mend the settings',
    unavailable: 'later',
    aborted: 'at once',
  }
  return [byJob[meaning.job], meaning.outcomes, g.errorCodes.permission.class]
}

export function everyOutcome(error: unknown): g.Outcome | undefined {
  if (!g.hasOutcome(error)) return undefined
  if (error.code === 'idempotency_conflict') error.differences.join()
  switch (error.outcome) {
    case 'not-accepted':
    case 'unknown':
    case 'accepted':
      return ((created: g.CreateError) => created.outcome)(error)
    default:
      return error satisfies never
  }
}

export function errorsOfATest(error: unknown): g.AnyGatewayError[] {
  if (error instanceof g.IdempotencyConflictError) error.differences.join()
  if (error instanceof g.GatewayError) error.code satisfies g.GatewayErrorCode
  if (g.isGatewayError(error) && 'status' in error) error.status satisfies number | undefined
  const conflict: g.ErrorDetails<g.IdempotencyConflictError> = {
    status: 409,
    outcome: 'accepted',
    differences: [],
  }
  const details = { status: 403, operation: 'GET /a', idPayin: 'a' }
  return [
    new g.IdempotencyConflictError('x.', conflict),
    new g.NotFoundError('x.', { status: 404 }),
    new g.WaitTimeoutError('x.'),
    new g.PermissionError('x.', details, new Error('why')),
  ]
}

export const receiver: CallbackReceiverOptions = {
  client,
  publicUrl: gateway.baseUrl,
  dedupe: undefined,
  onPayin: (payin, { idPayin, isNew, previous, signal }) =>
    void [payin.process?.status, idPayin, isNew, previous?.final, signal.aborted],
}
export const another = new CallbackReceiver({ ...receiver, onPayout: (payout) => void payout.process.status })
export const sandbox: SandboxOptions = { payAfterMs: false, clock: 'virtual' }
export const fault: FaultOptions = { route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } }
