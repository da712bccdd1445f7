import ts from 'typescript'
import { compile, diagnosticsOf, strict } from '../support/compiler.js'
import { root } from '../support/root.js'

/** A program may declare what it does not use, and is no file of its own for each of its tests. */
export const settings: ts.CompilerOptions = { ...strict, noUnusedLocals: false, noUnusedParameters: false }

const beginning = `import {
  type Account, type AnyGatewayError, type CallOptions, type ClientOptions, type CreateError, type ErrorDetails,
  type GatewayErrorCode, type Limiter, type MerchantInfo, type MoneyInput, type Outcome, type Payin,
  type PayinCreateInput, type PaymentLike, type Payout, type PayoutCreateInput, type ServerToken,
  type ShareableToken, type Signer, type StandardSchema, type TokenByActionInput, type WaitOptions,
  GatewayClient, GatewayError, IdempotencyConflictError, NotFoundError, PermissionError, WaitTimeoutError,
  hasOutcome, isFinal, isGatewayError, isPaid, money, onGatewayEvent, operation, responseOf, schemas, statusOf,
} from '../../src/index.js'
import { type CallbackReceiverOptions, CallbackReceiver } from '../../src/callbacks/index.js'
import { type FaultOptions, type SandboxOptions, createSandbox } from '../../packages/sandbox/src/index.js'
import { instrumentGateway } from '../../src/opentelemetry/index.js'
import { paymentJob } from '../../src/jobs/index.js'
import {
  type PaymentData, checkWorker, jobOptions, paymentData, paymentProcessor, wake, workerOptions,
} from '../../src/jobs/bullmq/index.js'
import { Queue, Worker } from 'bullmq'
declare const client: GatewayClient
declare const error: unknown
declare const signer: Signer
declare const report: StandardSchema<{ total: number }>
declare const sandbox: ReturnType<typeof createSandbox>
declare const queue: Queue
declare const connection: { url: string }
const baseUrl = 'https://gateway.example', merchantCode = 'M-0001', privateKey = 'PEM'
const paymentRequested = { money: money('10.50', 'EUR') }
const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER' }
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
