import ts from 'typescript'
import { compile, diagnosticsOf, strict } from '../support/compiler.js'
import { root } from '../support/root.js'

/** A program may declare what it does not use, and is no file of its own for each of its tests. */
export const settings: ts.CompilerOptions = { ...strict, noUnusedLocals: false, noUnusedParameters: false }

const beginning = `import {
  type CallOptions, type ClientOptions, type Limiter, type MoneyInput, type Outcome, type PayinCreateInput,
  type PayoutCreateInput, type ServerToken, type ShareableToken, type Signer, type StandardSchema, type WaitOptions,
  GatewayClient, GatewayError, IdempotencyConflictError, NotFoundError, PermissionError, WaitTimeoutError,
  hasOutcome, isFinal, isGatewayError, money, onGatewayEvent, operation, statusOf,
} from '../../src/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { instrumentGateway } from '../../src/opentelemetry/index.js'
import { type PaymentVerdict, paymentJob } from '../../src/jobs/index.js'
import {
  type PaymentData, checkWorker, jobOptions, paymentData, paymentProcessor, wake, workerOptions,
} from '../../src/jobs/bullmq/index.js'
import { Queue, Worker } from 'bullmq'
declare const client: GatewayClient
declare const error: unknown
declare const signer: Signer
declare const serverToken: ServerToken
declare const report: StandardSchema<{ total: number }>
declare const sandbox: ReturnType<typeof createSandbox>
declare const verdict: PaymentVerdict<'payout'>
declare const queue: Queue
declare const connection: { url: string }
const baseUrl = 'https://gateway.example', merchantCode = 'M-0001', privateKey = 'PEM'
const gateway = { baseUrl, merchantCode }
const paymentRequested = { money: money('10.50', 'EUR') }
const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER' }
const payment = { paymentRequested, paymentMethod }
export async function program() {
`

/** What the compiler says of each small program, as a user reads it; what programs need stands in front of each. */
export function complaintsOf(programs: readonly string[]): readonly (readonly string[])[] {
  const files = new Map(
    programs.map((text, n) => [fileOf(`test/types/program-${n}.ts`), `${beginning}${text}\n}\n`]),
  )
  const whole = compile(files, settings)
  return [...files.keys()].map((name) =>
    diagnosticsOf(whole, name).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  )
}

/** The path of a file of this repository, as the compiler names it. */
export const fileOf = (path: string): string => `${root}${path}`
