import { operationList } from '../auth/operations.js'
import { UnusableResponseError } from '../errors.js'
import type { Call } from '../http/call.js'
import { meaningOf } from '../http/meaning.js'
import { type GatewayRequest, type GatewayResponse, shownRoute } from '../http/request.js'
import { carryResponse } from '../http/response.js'
import { secretsOf } from '../http/secrets.js'
import { toError } from '../http/to-error.js'
import type { HttpMethod } from '../http/transport/transport.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { argument, check, type Shape, wrongInput } from '../input/check.js'
import { among, anything, fitting, flag, textLike, unless } from '../input/kinds.js'
import { type QueryValue, queryString } from '../input/query.js'
import { hasMethod, isObject, serialise } from '../input/values.js'
import * as z from '../input/zod.js'
import { hiding, secretsIn } from '../redact.js'
import { anyShape } from '../schemas/account-data.js'
import { bounded } from '../schemas/shape.js'
import type { StandardSchema } from '../schemas/standard-schema.js'
import type { ResourceParts } from './account.js'

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
  pathTemplate?: string | undefined
  /** Lists are joined by commas (specification, section 4.4). */
  query?: Readonly<Record<string, QueryValue | undefined>> | undefined
  /** Sent as JSON. */
  body?: unknown
  /** What the token must allow, as {@link operation} makes it. */
  operations: readonly string[]
  /** Any Standard Schema (zod, valibot, arktype …) that the response must fit. */
  response?: StandardSchema<Output> | undefined
  /**
   * Whether the request may be sent again after an attempt that may have been processed. True for
   * GET; for the others say so yourself, when the endpoint is idempotent. Default: `method === 'GET'`.
   */
  idempotent?: boolean | undefined
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HttpMethod[]

const fields = argument('an option of a request', {
  method: among(`one of ${methods.join(', ')}`, methods),
  path: unless<string>(whyNoPath),
  pathTemplate: z.optional(textLike('a path such as "/reports/{month}"', /^\/[\w\-.~!/{}]*$/)),
  query: z.optional(
    fitting<NonNullable<CustomRequest['query']>>(
      'a plain object of values by name, such as { page: 2 }',
      isQuery,
    ),
  ),
  body: anything(),
  operations: operationList,
  response: z.optional(
    fitting<StandardSchema>('a Standard Schema, as zod, valibot and arktype make them', isStandardSchema),
  ),
  idempotent: z.optional(flag),
} satisfies Shape<CustomRequest>)

export async function customRequest<Output>(
  { http, tokens, scopes }: ResourceParts,
  request: CustomRequest<Output>,
  options: CallOptions | undefined,
): Promise<unknown> {
  const { method, path, pathTemplate, query, body, operations, response, idempotent } = check(
    fields,
    request,
    wrongInput,
  )
  const sent: GatewayRequest<unknown> = {
    route: { name: 'request', method, template: pathTemplate ?? '{path}' },
    path: path + queryString(query),
    token: { tokens, scope: scopes.operations(operations) },
    ...(body === undefined ? {} : { body: serialise(body) }),
    secrets: [...secretsInPath(path, pathTemplate), ...secretsIn(query)],
    shape: { ...anyShape, mayBeEmpty: true },
    repeatable: idempotent ?? method === 'GET',
    about: { kind: 'request', method, path },
  }
  return http.call(sent, checkCallOptions(options), async (call) => {
    const result = await http.send(call, sent)
    if ('failure' in result) throw toError(result)
    return response === undefined ? result.value : fitted(response, result, sent, call)
  })
}

/** What varies in the path, which may be a customer's: what a template has a name for, and without one all but the first segment. */
function secretsInPath(path: string, template: string | undefined): string[] {
  const names = template?.split('/')
  const isFixed = (at: number) => (names === undefined ? at < 2 : names[at]?.includes('{') === false)
  return path.split('/').flatMap((segment, at) => (isFixed(at) ? [] : [segment, decoded(segment) ?? segment]))
}

async function fitted(
  response: StandardSchema,
  { value, status, attempts }: GatewayResponse<unknown>,
  request: GatewayRequest<unknown>,
  call: Call,
): Promise<unknown> {
  const { issues, cause, output } = await validate(response, value)
  if (issues === undefined) return carryResponse(value, output)
  const { money } = meaningOf(request.about, 'accepted')
  // A path may have a name in it, where the response has fields by the name of a customer.
  const hide = hiding(secretsOf(call))
  throw new UnusableResponseError(
    `${shownRoute(request)}: the response does not fit the schema given as response (see error.issues); ${money}.`,
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

/** Another origin would get the token. */
function whyNoPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || !/^\/(?!\/)[\x21-\x7e]*$/.test(path) || /[\\?#]/.test(path)) {
    return 'must be a path of the gateway such as "/reports", escaped, without host, query and fragment: the token goes to no other origin'
  }
  return /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
    ? 'must not have "." or ".." as a segment, which lead to other paths'
    : undefined
}

/** Own fields are what is sent; an URLSearchParams or a Map has none. */
function isQuery(value: unknown): boolean {
  return isObject(value) && !(Symbol.iterator in value)
}

/** Some libraries' schemas are functions. */
function isStandardSchema(value: unknown): boolean {
  return (
    (isObject(value) || typeof value === 'function') && hasMethod(Reflect.get(value, '~standard'), 'validate')
  )
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
