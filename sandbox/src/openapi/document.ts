import type { RouteName } from '../gateway/wire/routes.js'
import { type Json, type JsonObject, schema, text } from './json.js'
import { meanings, type Operation, operations, refusedAnywhere } from './operations.js'
import { type SchemaOptions, schemas } from './schemas.js'

/** The options of a sandbox that its document depends on. */
export interface DocumentOptions extends SchemaOptions {
  /** Where the gateway is; empty for the address that the document came from. */
  readonly server: string
  readonly basePath: string
  readonly customerAccountPath: string | undefined
  readonly tokenFormat: 'json' | 'json-string' | 'text'
}

/** What the sandbox is by itself. */
export const defaultDocumentOptions: DocumentOptions = {
  server: 'http://127.0.0.1:4010',
  basePath: '',
  customerAccountPath: '/payins/{idPayin}/customer-account',
  tokenFormat: 'json',
  tokenField: 'token',
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
      schemas: schemas(options),
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
      responses: responses(options),
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

function paths(options: DocumentOptions): JsonObject {
  const all = new Map<string, JsonObject>()
  for (const route of routesOf(operations)) {
    const [method = '', named = ''] = route.split(' ')
    const path = named.endsWith('/customer-account') ? options.customerAccountPath : named
    if (path === undefined) continue
    all.set(path, { ...all.get(path), [method.toLowerCase()]: operation(route, operations[route], options) })
  }
  return Object.fromEntries(all)
}

function operation(route: RouteName, about: Operation, { tokenFormat }: DocumentOptions): JsonObject {
  const { operationId, summary, tag, request, response, examples = {}, query = {}, refusals } = about
  const isToken = tag === 'Tokens'
  const id = /\{(\w+)\}/.exec(route)?.[1]
  const statuses = [...new Set([...refusals, ...refusedAnywhere])].sort()
  return {
    operationId,
    summary,
    tags: [tag],
    // The deprecated secret is in the body, so that a signature may be missing.
    security: isToken ? [{ signature: [] }, {}] : [{ accessToken: [] }],
    parameters: [
      { $ref: '#/components/parameters/Version' },
      ...(id === undefined ? [] : [idParameter(id)]),
      ...Object.entries(query).map(([name, { description, example }]) => {
        const schema = { type: 'array', items: { type: 'string' } }
        // Section 4, rule 4: values are separated by commas.
        return { name, in: 'query', description, style: 'form', explode: false, schema, example }
      }),
    ],
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schema(request),
                examples: Object.fromEntries(
                  Object.entries(examples).map(([name, value]): [string, Json] => [name, { value }]),
                ),
              },
            },
          },
        }),
    responses: {
      '200': {
        description: 'Served.',
        content:
          isToken && tokenFormat === 'text'
            ? { 'text/plain': { schema: text('The access token, a JWT.') } }
            : { 'application/json': { schema: schema(response) } },
      },
      ...Object.fromEntries(
        statuses.map((status): [string, Json] => [
          String(status),
          { $ref: `#/components/responses/${status}` },
        ]),
      ),
    },
    ...(examples.full === undefined ? {} : { callbacks: { statusChange } }),
  }
}

/** Section 6: a callback says only that something has changed, and carries nothing. */
const statusChange: JsonObject = {
  '{$request.body#/callbackUrl}': {
    post: {
      summary: 'The status of the payment has changed; read it',
      description: 'Its content is a gap of the specification. It is sent again until a 2xx answers it.',
      security: [],
      requestBody: { content: { 'application/json': { schema: {} } } },
      responses: { '204': { description: 'Taken.' } },
    },
  },
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

function responses({ errorFormat }: DocumentOptions): JsonObject {
  const content =
    errorFormat === 'none' ? {} : { content: { 'application/json': { schema: schema('Error') } } }
  return Object.fromEntries(
    Object.entries(meanings).map(([status, description]): [string, Json] => [
      status,
      { description, ...content },
    ]),
  )
}

function routesOf<Key extends string>(all: { readonly [K in Key]: unknown }): Key[] {
  const keys: Key[] = []
  for (const key in all) keys.push(key)
  return keys
}
