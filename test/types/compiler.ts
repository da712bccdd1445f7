import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { root } from '../support/root.js'

const folder = fileURLToPath(new URL('./', import.meta.url))
const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
const { options: strict } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
/** A program may declare what it does not use, and is no file of its own for each of its tests. */
export const settings: ts.CompilerOptions = { ...strict, noUnusedLocals: false, noUnusedParameters: false }

const parsed = new Map<string, ts.SourceFile | undefined>()

/** Compiles some texts as if they were files, others staying as they are on the disk, which are read once. */
export function compile(texts: ReadonlyMap<string, string>): ts.Program {
  const host = ts.createCompilerHost(settings)
  const { getSourceFile, fileExists } = host
  // The folders of these texts need not exist.
  host.directoryExists = () => true
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const text = texts.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, rest[0])
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest))
    return parsed.get(name)
  }
  return ts.createProgram([...texts.keys()], settings, host)
}

/** What the compiler says of one file, a line for each mistake, as a user reads it. */
export function complaints(program: ts.Program, name: string): string[] {
  const source = program.getSourceFile(name)
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const beginning = `import {
  type Account, type AnyGatewayError, type CallOptions, type ClientOptions, type CreateError, type ErrorDetails,
  type GatewayErrorCode, type Limiter, type MerchantInfo, type MoneyInput, type Outcome, type Payin,
  type PayinCreateInput, type PaymentLike, type Payout, type PayoutCreateInput, type ServerToken,
  type ShareableToken, type Signer, type StandardSchema, type TokenByActionInput, type WaitOptions,
  GatewayClient, GatewayError, IdempotencyConflictError, NotFoundError, PermissionError, WaitTimeoutError,
  hasOutcome, isFinal, isGatewayError, isPaid, money, onGatewayEvent, operation, responseOf, schemas, statusOf,
} from '../../src/index.js'
import { type CallbackReceiverOptions, CallbackReceiver } from '../../src/callbacks/index.js'
import { type FaultOptions, type SandboxOptions, createSandbox } from '../../sandbox/src/index.js'
import { instrumentGateway } from '../../src/opentelemetry/index.js'
declare const client: GatewayClient
declare const error: unknown
declare const signer: Signer
declare const report: StandardSchema<{ total: number }>
declare const sandbox: ReturnType<typeof createSandbox>
const baseUrl = 'https://gateway.example', merchantCode = 'M-0001', privateKey = 'PEM'
const paymentRequested = { money: money('10.50', 'EUR') }
const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER' }
export async function program() {
`

/** What the compiler says of each small program; what programs need stands in front of each. */
export function complaintsOf(programs: readonly string[]): readonly (readonly string[])[] {
  const files = new Map(programs.map((text, n) => [`${folder}program-${n}.ts`, `${beginning}${text}\n}\n`]))
  const whole = compile(files)
  return [...files.keys()].map((name) => complaints(whole, name))
}

/** The path of a file of this repository, as the compiler names it. */
export const fileOf = (path: string): string => `${root}${path}`
