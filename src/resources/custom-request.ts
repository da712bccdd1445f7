import { UnusableResponseError } from '../errors.js'
import { type Call, secretsOf } from '../http/call.js'
import { type CallOptions, checkCallOptions } from '../http/call-options.js'
import { type QueryValue, queryString } from '../http/query.js'
import type { GatewayRequest, GatewayResponse } from '../http/request.js'
import { carryResponse } from '../http/response-info.js'
import type { HttpMethod } from '../http/transport/transport.js'
import { meaningOfRequest } from '../payments/meaning.js'
import { serialise } from '../payments/requests.js'
import { redaction } from '../redact/load.js'
import { anyShape } from '../schemas/account-data.js'
import { didYouMean, ownOf } from '../schemas/own.js'
import { bounded } from '../schemas/shape.js'
import type { StandardSchema } from '../schemas/standard-schema.js'
import { wrongInput } from '../schemas/wrong-input.js'
import type { AccountCalls } from './account-call.js'
import { checkOperations } from './auth-tokens.js'

/** A request to a path of the gateway that has no method of its own here. */
export interface CustomRequest<Output = unknown> {
  /** HTTP method. */
  method: HttpMethod
  /** Below `baseUrl`, escaped, without a query: `/reports/2026-11`. */
  path: string
  /**
   * The same with names in place of what varies, for logs, traces and metrics: `/reports/{month}`.
   * Without it they show `{path}`, since a path may hold what is a customer's.
   */
  pathTemplate?: string
  /** Lists are joined by commas (specification, section 4.4). */
  query?: Readonly<Record<string, QueryValue | undefined>>
  /** Sent as JSON. */
  body?: unknown
  /** What the token must allow, as {@link operation} makes it. */
  operations: readonly string[]
  /** Any Standard Schema (zod, valibot, arktype …) that the answer must fit. */
  response?: StandardSchema<Output>
  /**
   * Whether the request may be sent again after an attempt that may have been processed. True for
   * GET; for the others say so yourself, when the endpoint is idempotent. Default: `method === 'GET'`.
   */
  idempotent?: boolean
}

const names = [
  'method',
  'path',
  'pathTemplate',
  'query',
  'body',
  'operations',
  'response',
  'idempotent',
] satisfies (keyof CustomRequest)[]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export async function customRequest<Output>(
  { http, tokens, scopes }: AccountCalls,
  given: CustomRequest<Output>,
  options: CallOptions | undefined,
): Promise<unknown> {
  if (typeof given !== 'object' || given === null) throw wrongInput('request', 'must be an object')
  const request = ownOf(given, names, notKnown, wrongInput)
  const { method, path, pathTemplate, query, body, operations, response } = request
  if (!methods.includes(method)) throw wrongInput('method', `must be one of ${methods.join(', ')}`)
  checkPath(path)
  const template = pathTemplate === undefined ? '{path}' : checkTemplate(pathTemplate)
  const sent: GatewayRequest<unknown> = {
    name: 'request',
    method,
    path: path + queryString(query),
    route: `${method} ${path}`,
    routeTemplate: `${method} ${template}`,
    lane: method === 'GET' ? 'read' : 'create',
    token: tokens.for(scopes.operations(checkOperations(operations))),
    ...(body === undefined ? {} : { body: serialise(body) }),
    secrets: () => [...redaction().secretsInPath(path, pathTemplate), ...redaction().secretsIn(query)],
    shape: anyShape,
    repeatable: request.idempotent ?? method === 'GET',
    allowEmpty: true,
    meaning: (evidence) => meaningOfRequest(method, evidence),
  }
  return http.call(sent, http.limits(checkCallOptions(options)), async (call) => {
    const came = await http.send(call, sent)
    return response === undefined ? came.value : fitting(response, came, sent, call)
  })
}

function notKnown(name: string): string {
  return `is not an option of a request (${names.join(', ')})${didYouMean(name, names)}`
}

/** What the schema made of the answer. */
async function fitting(
  response: StandardSchema,
  { value, status, attempts }: GatewayResponse<unknown>,
  { method, route }: GatewayRequest<unknown>,
  call: Call,
): Promise<unknown> {
  const { issues, cause, output } = await validate(response, value)
  if (issues === undefined) return carryResponse(value, output)
  const { sentence } = meaningOfRequest(method, 'certain')
  // A path may have a name in it, where the answer has fields by the name of a customer.
  const hide = redaction().hiding(secretsOf(call))
  throw new UnusableResponseError(
    `${route}: the answer does not fit the schema given as response (see error.issues); ${sentence}.`,
    { status, attempts, issues: issues.map(hide) },
    cause,
  )
}

interface Validation {
  readonly output?: unknown
  readonly issues?: readonly string[]
  readonly cause?: unknown
}

async function validate(schema: StandardSchema, value: unknown): Promise<Validation> {
  try {
    const result = await schema['~standard'].validate(value)
    if (result.issues === undefined) return { output: result.value }
    // Where it went wrong, and not the library's words, which may quote the value.
    return {
      issues: bounded(result.issues, ({ path = [] }) => {
        return `${path.map(keyOf).join('.') || 'body'}: does not fit`
      }),
    }
  } catch (cause) {
    return { issues: ['the schema itself failed'], cause }
  }
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment)
}

function checkTemplate(template: unknown): string {
  if (typeof template === 'string' && /^\/[\w\-.~!/{}]*$/.test(template)) return template
  throw wrongInput('pathTemplate', 'must be a path such as "/reports/{month}"')
}

/** Another origin would get the token. */
function checkPath(path: string): void {
  if (typeof path !== 'string' || !/^\/(?!\/)[\x21-\x7e]*$/.test(path) || /[\\?#]/.test(path)) {
    throw wrongInput(
      'path',
      'must be a path of the gateway such as "/reports", escaped, without host, query and fragment: the token goes to no other origin',
    )
  }
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path))
    throw wrongInput('path', 'must not go up or stay with "." or ".."')
}
