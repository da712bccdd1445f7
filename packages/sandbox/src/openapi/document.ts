import * as z from 'zod/mini'
import type { GatewayProfile } from '../../../../src/client/profile/gateway-profile.js'
import { type RouteName, routeNames } from '../gateway/wire/routes.js'
import { meanings, operations, refusedAnywhere } from './operations.js'
import { type Answer, playedAnswer, playedRefusals } from './played-answers.js'
import { type SchemaName, type SchemaOptions, schemas } from './schemas.js'
import { bare, type JsonObject, jsonSchemaOf } from './shape-schema.js'

/** The options of a sandbox that its document depends on. */
export interface DocumentOptions extends SchemaOptions {
  /** Where the gateway is; empty for the address that the document came from. */
  readonly server: string
  readonly basePath: string
  readonly customerAccountPath: string | undefined
  /** The gateway that is played; without one, what the sandbox is by itself. */
  readonly profile?: GatewayProfile | undefined
}

/** What the sandbox is by itself. */
export const defaultDocumentOptions: DocumentOptions = {
  server: 'http://127.0.0.1:4010',
  basePath: '',
  customerAccountPath: '/payins/{idPayin}/customer-account',
  tokenFormat: 'json',
  tokenField: 'token',
  maxValiditySecs: 1_000_000_000,
  payinStatusIn: 'process',
  errorFormat: 'code',
}

/** The gateway as an OpenAPI 3.1 document: all endpoints of section 4. */
export function openApiDocument(options: DocumentOptions): JsonObject {
  const server = `${options.server}${options.basePath}`
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment gateway, as the sandbox of merchant-gateway answers',
      version: '2.73',
      description:
        'Incoming and outgoing payments. Where the specification leaves a gap, this is what the sandbox does; docs/assumptions.md of the package lists the gaps. All requests carry Accept: application/json.',
    },
    servers: [{ url: server === '' ? '/' : server }],
    tags: ['Tokens', 'Payins', 'Payouts', 'Merchant'].map((name) => ({ name })),
    paths: paths(options),
    components: {
      schemas: components(options),
      parameters: {
        Version: {
          name: 'X-API-Version',
          in: 'header',
          required: true,
          description: 'The major version only (section 9).',
          schema: { type: 'string', enum: ['2'] },
          example: '2',
        },
      },
      responses: refusalResponses(options),
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SIGNATURE',
          description:
            'SHA256withRSA over the bytes of the body, which has no insignificant whitespace, in base64 (section 5). Without it the body carries the deprecated secret.',
        },
      },
    },
  }
}

/** All schemas by name; where one is part of another, as a reference. */
function components(options: DocumentOptions): JsonObject {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas(options))) named.add(schema, { id })
  const { schemas: made } = z.toJSONSchema(named, { io: 'input', uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, bare(schema)]))
}

function paths(options: DocumentOptions): JsonObject {
  const all = new Map<string, JsonObject>()
  for (const route of routeNames) {
    const [method = '', named = ''] = route.split(' ')
    const path = named.endsWith('/customer-account') ? options.customerAccountPath : named
    if (path === undefined) continue
    all.set(path, { ...all.get(path), [method.toLowerCase()]: operation(route, options) })
  }
  return Object.fromEntries(all)
}

function operation(route: RouteName, options: DocumentOptions): JsonObject {
  const { operationId, summary, tag, request, examples = {}, query = {} } = operations[route]
  const id = /\{(\w+)\}/.exec(route)?.[1]
  return {
    operationId,
    summary,
    tags: [tag],
    // The deprecated secret is in the body, so that a signature may be missing.
    security: tag === 'Tokens' ? [{ signature: [] }, {}] : [{ accessToken: [] }],
    parameters: [
      { $ref: '#/components/parameters/Version' },
      ...(id === undefined ? [] : [idParameter(id)]),
      ...Object.entries(query).map(([name, { description, example }]) => {
        const schema = { type: 'array', items: { type: 'string' } }
        // Section 4, rule 4: values are separated by commas.
        return { name, in: 'query', description, style: 'form', explode: false, schema, example }
      }),
    ],
    ...(request === undefined ? {} : { requestBody: requestBody(request, examples) }),
    responses: responses(route, options),
    ...(examples.full === undefined ? {} : { callbacks: { statusChange: statusChange(options) } }),
  }
}

function requestBody(request: SchemaName, examples: JsonObject): JsonObject {
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }] as const)
  return {
    required: true,
    content: { 'application/json': { schema: reference(request), examples: Object.fromEntries(shown) } },
  }
}

function responses(route: RouteName, options: DocumentOptions): JsonObject {
  const { refusals } = operations[route]
  const all = refusalsOf(options)
  const served = servedBy(route, options)
  const statuses = new Set([...refusals, ...refusedAnywhere, ...playedStatuses(options)])
  return {
    ...Object.fromEntries(
      [...statuses].sort().map((status) => [status, { $ref: `#/components/responses/${status}` }]),
    ),
    // A gateway may refuse with the status of what it serves.
    [served.status]: response('Served.', [served, ...all.filter(({ status }) => status === served.status)]),
  }
}

function servedBy(route: RouteName, options: DocumentOptions): Answer {
  const { response, tag } = operations[route]
  const { profile, tokenFormat } = options
  const schema = reference(response)
  const played = profile && playedAnswer(route, { ...options, profile }, schema)
  const contentType = tag === 'Tokens' && tokenFormat === 'text' ? 'text/plain' : 'application/json'
  return played ?? { status: 200, contentType, schema }
}

/** Every refusal that the profile knows, whichever endpoint it was seen at. */
function refusalsOf({ profile, errorFormat }: DocumentOptions): Answer[] {
  return profile === undefined ? [] : playedRefusals(profile, ownRefusal(errorFormat))
}

function ownRefusal(errorFormat: DocumentOptions['errorFormat']): JsonObject | undefined {
  return errorFormat === 'none' ? undefined : reference('Error')
}

function playedStatuses(options: DocumentOptions): number[] {
  return refusalsOf(options).map(({ status }) => status)
}

function refusalResponses(options: DocumentOptions): JsonObject {
  const own = ownRefusal(options.errorFormat)
  const played = refusalsOf(options)
  const known = Object.keys(meanings).map(Number)
  const all = [...known, ...played.map(({ status }) => status)]
  return Object.fromEntries(
    all.map((status) => {
      const ownAnswer = { status, contentType: 'application/json', schema: own }
      const description = meaningOf(status) ?? 'A refusal, as the gateway that is played gives it.'
      return [
        status,
        response(description, [
          ...(known.includes(status) ? [ownAnswer] : []),
          ...played.filter((one) => one.status === status),
        ]),
      ]
    }),
  )
}

function meaningOf(status: number): string | undefined {
  return Object.entries(meanings).find(([known]) => Number(known) === status)?.[1]
}

/** All that may be answered with one status, by content type. */
function response(description: string, answers: readonly Answer[]): JsonObject {
  const byType = new Map<string, JsonObject[]>()
  for (const { contentType, schema } of answers) {
    if (schema !== undefined) byType.set(contentType, [...(byType.get(contentType) ?? []), schema])
  }
  if (byType.size === 0) return { description }
  const content = [...byType].map(([type, [first, ...others]]) => {
    return [type, { schema: others.length === 0 ? first : { anyOf: [first, ...others] } }]
  })
  return { description, content: Object.fromEntries(content) }
}

/** Section 6: a callback says only that something has changed, and carries nothing. */
function statusChange({ profile }: DocumentOptions): JsonObject {
  const { method = 'POST', contentType = 'application/json', body } = profile?.callbacks ?? {}
  const schema = body === undefined ? {} : jsonSchemaOf(body)
  return {
    '{$request.body#/callbackUrl}': {
      [method.toLowerCase()]: {
        summary: 'The status of the payment has changed; read it',
        description: 'Its content is a gap of the specification. It is sent again until a 2xx answers it.',
        security: [],
        requestBody: { content: { [contentType]: { schema } } },
        responses: { '204': { description: 'Taken.' } },
      },
    },
  }
}

function idParameter(name: string): JsonObject {
  return {
    name,
    in: 'path',
    required: true,
    description: "The merchant's own id of the payment: a UUID or another random text.",
    schema: { type: 'string', minLength: 1 },
    example: 'order-1',
  }
}

/** A reference to a schema of the document. */
function reference(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}
