/**
 * Never run: the compiler reads it. A line after `@ts-expect-error` must not compile, every other one
 * must (`npm run types`).
 */
import {
  type AnyGatewayError,
  type ClientOptions,
  GatewayClient,
  isFinal,
  isGatewayError,
  isPaid,
  type MoneyInput,
  money,
  type Outcome,
  operation,
  type Payout,
  type ServerToken,
  type ShareableToken,
  type StandardSchema,
  statusOf,
} from '../../src/index.js'

declare const client: GatewayClient
declare const report: StandardSchema<{ total: number }>

const paymentRequested = { money: money('10.50', 'EUR') }
const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER' }

export async function whatACreateGivesCanBeAskedWhereItStands(): Promise<void> {
  const payin = await client.payins.create({ paymentRequested, paymentMethod })
  const payout = await client.payouts.create({ paymentRequested, paymentMethod })
  const answers: readonly (boolean | string | undefined)[] = [payin, payout].flatMap((payment) => [
    isFinal(payment),
    isPaid(payment),
    statusOf(payment),
  ])
  const own: Pick<ClientOptions, 'statusOf' | 'isFinal'> = {
    statusOf: (payment) => (typeof payment.state === 'string' ? payment.state : statusOf(payment)),
    isFinal: ({ process }) => process?.status === 'BOUNCED',
  }
  isPaid(payin, own)
  // @ts-expect-error what holds nothing of a payment is none
  isFinal({ id: answers.length })
}

export async function aStatusIsOneOfTheWordsThatItsGatewayHas(): Promise<void> {
  const payin = await client.payins.retrieve('order-1')
  const status = statusOf<'PENDING' | 'FAILED'>(payin)
  const words: readonly boolean[] = [status === 'SUCCESS', status === 'PENDING', status === 'FAILED']
  // Another one may still come.
  const text: string | undefined = status
  // @ts-expect-error a misspelt word is none of them
  const isMisspelt = status === 'PENDNIG'
  console.log(words, text, isMisspelt, statusOf(payin) === 'ANY_WORD')
}

export async function serverTokensAndShareableTokensDoNotMix(): Promise<void> {
  const { token } = await client.authTokens.create({ operations: ['GET /balances'] })
  const shareable = await client.authTokens.shareable({ idPayin: 'a', validitySecs: 60 })
  const toBrowser = (_token: ShareableToken): void => undefined
  const toServer = (_token: ServerToken): void => undefined
  toBrowser(shareable)
  toServer(token)
  // @ts-expect-error a server token never goes to a browser
  toBrowser(token)
  // @ts-expect-error nor does its text
  toBrowser(token.reveal())
  // @ts-expect-error nor does any other text
  toBrowser('eyJ')
  // @ts-expect-error a shareable token is no server token
  toServer(shareable)
  // @ts-expect-error a server token is no text
  const text: string = token
  // @ts-expect-error a shareable token needs a limit in time
  await client.authTokens.shareable({ idPayin: 'a' })
  // @ts-expect-error and is for payins alone
  await client.authTokens.shareable({ idPayout: 'a', validitySecs: 60 })
  client.authTokens.decode(token).claims.sub satisfies unknown
  text satisfies string
  const json: string = shareable
  json satisfies string
}

export function operationsWantTheirIds(): void {
  operation('GET', '/balances')
  operation('POST', '/payouts/.*')
  operation('GET', '/reports/\\d{4}-\\d{1,2}')
  operation('GET', '/payins/{idPayin}', { idPayin: 'a' })
  operation('GET', '/a/{first}/{second}', { first: '1', second: '2' })
  // @ts-expect-error the id is missing
  operation('GET', '/payins/{idPayin}')
  // @ts-expect-error the id is missing in the object
  operation('GET', '/payins/{idPayin}', {})
  // @ts-expect-error one of two ids is missing
  operation('GET', '/a/{first}/{second}', { first: '1' })
  // @ts-expect-error the id has another name
  operation('GET', '/payins/{idPayin}', { idPayout: 'a' })
  // @ts-expect-error one id too many
  operation('GET', '/payins/{idPayin}', { idPayin: 'a', idPayout: 'b' })
  // @ts-expect-error no id is wanted
  operation('GET', '/balances', { idPayin: 'a' })
  // @ts-expect-error an id is a text
  operation('GET', '/payins/{idPayin}', { idPayin: 5 })
}

export async function paymentsAreTyped(): Promise<void> {
  await client.payouts.create({ paymentRequested, paymentMethod })
  await client.payouts.create({ idPayout: 'a', paymentRequested, paymentMethod, extra: { priority: 'HIGH' } })
  await client.payouts.create({
    paymentRequested: { money: { ...money('1', 'EUR'), extra: { scale: 2 } }, extra: { note: 'rent' } },
    paymentMethod: { ...paymentMethod, account: { accountNumber: '1', extra: { branch: '1' } }, extra: {} },
  })
  await client.payins.create({
    idPayin: 'a',
    paymentRequested,
    paymentMethod,
    returnUrl: 'https://x.example',
  })
  // @ts-expect-error money is wanted
  await client.payouts.create({ idPayout: 'a', paymentMethod })
  // @ts-expect-error a payment method is wanted
  await client.payouts.create({ idPayout: 'a', paymentRequested })
  // @ts-expect-error an id is a text
  await client.payouts.create({ idPayout: 5, paymentRequested, paymentMethod })
  // @ts-expect-error what is unknown goes into extra
  await client.payouts.create({ idPayout: 'a', paymentRequested, paymentMethod, priority: 'HIGH' })
  // @ts-expect-error under another name, an id would be made anew at every call
  await client.payouts.create({ id: 'a', paymentRequested, paymentMethod })
  // @ts-expect-error nor is this the id
  await client.payouts.create({ idempotencyKey: 'a', paymentRequested, paymentMethod })
  // @ts-expect-error the id of the other kind
  await client.payouts.create({ idPayin: 'a', paymentRequested, paymentMethod })
  // @ts-expect-error spelled wrong
  await client.payins.create({ paymentRequested, paymentMethod, calbackUrl: 'https://x.example' })
  // @ts-expect-error spelled wrong further in
  await client.payins.create({ paymentRequested, paymentMethod: { ...paymentMethod, emailAdress: 'x' } })
  // @ts-expect-error a payout leads nobody back
  await client.payouts.create({ paymentRequested, paymentMethod, returnUrl: 'https://x.example' })
  // @ts-expect-error money has an amount and a currency
  await client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR', currency: 'EUR' })
  // @ts-expect-error an amount is a number or a text
  const tooLarge: MoneyInput = { amount: 5n, currencyCode: 'EUR' }
  await client.payouts.create({ paymentRequested: { money: tooLarge }, paymentMethod })
  // @ts-expect-error the id is wanted
  await client.payins.retrieve()

  const payout = await client.payouts.create({ paymentRequested, paymentMethod })
  payout.idPayout satisfies string
  if (payout.replayed) {
    payout.process.status satisfies string
    payout.notCompared satisfies readonly string[]
  } else {
    // @ts-expect-error what was accepted just now has no status yet
    payout.process.status satisfies string
    // @ts-expect-error and nothing was compared
    payout.notCompared satisfies readonly string[]
  }
  const found: Payout = await client.payouts.retrieve('a')
  if (found.process.status === 'SUCCESS' || found.process.status === 'ANY_OTHER') found.fee?.amount.toFixed(2)
}

export async function waitsNeedALimit(): Promise<void> {
  await client.payins.waitFor('a', { maxWaitMs: 60_000 })
  for await (const payin of client.payins.watch('a', { maxWaitMs: 60_000 }))
    payin.process?.status satisfies string | undefined
  // @ts-expect-error a wait needs its options
  await client.payins.waitFor('a')
  // @ts-expect-error and its limit
  await client.payins.waitFor('a', {})
  // @ts-expect-error under its own name
  await client.payouts.waitFor('a', { timeoutMs: 60_000 })
  // @ts-expect-error also for watch
  client.payouts.watch('a', {})
}

export async function optionsAreKnown(): Promise<void> {
  const least = { baseUrl: 'https://gateway.example', merchantCode: 'M', privateKey: 'PEM' }
  const options: ClientOptions = { ...least, retries: undefined, rateLimit: false }
  new GatewayClient(options)
  GatewayClient.fromEnv({ retries: 0 })
  // @ts-expect-error an unknown option
  new GatewayClient({ ...least, timeout: 5 })
  // @ts-expect-error the merchant code is missing
  new GatewayClient({ baseUrl: 'https://gateway.example', privateKey: 'PEM' })
  // @ts-expect-error there is no limit called true
  new GatewayClient({ ...least, rateLimit: true })
  // @ts-expect-error the families are payins, payouts and account
  new GatewayClient({ ...least, operations: { refunds: ['GET /refunds'] } })
  await client.currencies.list({ timeoutMs: 5, signal: AbortSignal.timeout(5) })
  // @ts-expect-error an unknown option of a call
  await client.currencies.list({ timeout: 5 })
  // @ts-expect-error currencies are a list
  await client.balances.list({ currencies: 'EUR' })
}

export async function requestsSayWhatTheyNeed(): Promise<void> {
  const answer = await client.request({ method: 'GET', path: '/reports', operations: ['GET /reports'] })
  // @ts-expect-error an answer without a schema is unknown
  answer.total satisfies number
  const checked = await client.request({
    method: 'GET',
    path: '/reports',
    operations: ['GET /reports'],
    response: report,
  })
  checked.total satisfies number
  // @ts-expect-error and has nothing but what the schema says
  checked.more satisfies unknown
  // @ts-expect-error the operations of its token are wanted
  await client.request({ method: 'GET', path: '/reports' })
  // @ts-expect-error a method in capitals
  await client.request({ method: 'get', path: '/reports', operations: ['GET /reports'] })
  // @ts-expect-error a query holds no objects
  await client.request({ method: 'GET', path: '/reports', operations: [], query: { a: { b: 1 } } })
}

export function codesNarrow(error: unknown): string {
  if (!isGatewayError(error)) return 'not ours'
  error.outcome satisfies Outcome | undefined
  // @ts-expect-error there is no such code
  if (error.code === 'no_such_code') return 'never'
  switch (error.code) {
    case 'idempotency_conflict':
      error.name satisfies string
      return `differs in ${error.differences?.join()}`
    case 'rate_limit':
      return `wait ${error.retryAfterMs ?? 0} ms`
    default:
      return error.message
  }
}

/** Every code is in the switch, so that a new one would not compile here. */
export function everyCode({ code }: AnyGatewayError): 'ours' | 'theirs' {
  switch (code) {
    case 'configuration':
    case 'invalid_input':
    case 'signing':
    case 'aborted':
    case 'queue_full':
    case 'client_closed':
    case 'wait_timeout':
      return 'ours'
    case 'authentication':
    case 'permission':
    case 'not_found':
    case 'idempotency_conflict':
    case 'rate_limit':
    case 'invalid_request':
    case 'server':
    case 'connection':
    case 'timeout':
    case 'unusable_response':
      return 'theirs'
  }
}
