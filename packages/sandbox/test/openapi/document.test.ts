import { Validator } from '@seriousme/openapi-schema-validator'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { GatewayProfile } from '../../../../src/client/profile/gateway-profile.js'
import { merchantInfoShape } from '../../../../src/client/schemas/account-data.js'
import { payinCreateShape, payinShape, paymentOptionsShape } from '../../../../src/client/schemas/payins.js'
import { payoutCreateShape, payoutShape } from '../../../../src/client/schemas/payouts.js'
import { routeNames } from '../../src/gateway/wire/routes.js'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import { defaultDocumentOptions, openApiDocument } from '../../src/openapi/document.js'
import { operations } from '../../src/openapi/operations.js'
import { BODY_HEADERS, JSON_HEADERS, privatePem, SIGNED_AT, signatureOf } from '../support.js'

const variants: readonly [what: string, options: SandboxOptions][] = [
  ['no options', {}],
  ['strictness', { strictness: 'specification' }],
  ['fields', { errorFormat: 'errors', payinStatusIn: 'top', tokenField: 'access_token' }],
  ['a text', { tokenFormat: 'text', basePath: '/api', customerAccountPath: '/payins/{idPayin}/account' }],
  ['a text of JSON', { tokenFormat: 'json-string', tokenField: 'unused' }],
  ['a deep token', { tokenField: 'data.access.token' }],
  ['a profile', { profile: seenProfile() }],
  ['a profile and strictness', { profile: seenProfile(), strictness: 'specification' }],
  [
    'a profile and fields',
    { profile: seenProfile(), errorFormat: 'errors', payinStatusIn: 'top', tokenField: 'access_token' },
  ],
  [
    'a profile of statuses',
    {
      profile: { profileVersion: 1, payins: { statusField: 'phase' }, payouts: { statusField: 'phase.now' } },
    },
  ],
]
const refusing = variants.filter(([what]) => !/fields|text|deep/.test(what))

/** Of a gateway that differs from the specification wherever that is open. */
function seenProfile(): GatewayProfile {
  const json = { status: 200, contentType: 'application/json' }
  const payment = { id: 'string', paymentRequested: { money: { amount: 'string', currencyCode: 'string' } } }
  const refusal = { error: { code: 'string', 'detail?': 'string' } }
  return {
    profileVersion: 1,
    tokens: { field: 'data.bearer', timestampUnit: 'milliseconds' },
    payins: { statusField: 'phase.code', processedAtField: 'phase.at', statuses: { PAID: 'final' } },
    payouts: { statusField: 'status', statuses: { SENT: 'final', WAITING: 'passing' } },
    answers: {
      'POST /auth-tokens': {
        ...json,
        status: 201,
        body: { data: { bearer: 'string' }, expires_in: 'number' },
      },
      'POST /auth-tokens-by-action': {
        ...json,
        body: { data: { bearer: 'string' }, 'note?': 'null|string' },
      },
      'POST /payins/{idPayin}': {
        status: 202,
        contentType: 'application/vnd.bank+json',
        body: {
          ...payment,
          paymentMethodResponse: { idPayin: 'string', 'account?': { bankCode: 'string' } },
        },
      },
      'GET /payins/{idPayin}': { ...json, body: { ...payment, 'phase?': { code: 'number' }, tags: [] } },
      'POST /payouts/{idPayout}': { status: 201 },
      'GET /payouts/{idPayout}': { ...json, body: payment },
      'GET /balances': { ...json, body: { '*': 'number' } },
      'GET /currencies': { ...json, body: ['string'] },
      'GET /payment-operators': { ...json, body: { operators: [{ id: 'string', title: 'string|null' }] } },
      'GET /merchant-info': { status: 200, body: 'any' },
      'GET /payins/{idPayin}/account': { ...json, body: { holder: 'string|null' } },
    },
    refusals: {
      'api-version-missing': { ...json, status: 400, body: refusal },
      'token-missing': { status: 401 },
      'token-wrong': { ...json, status: 401, body: refusal },
      'token-not-allowed': { status: 403, contentType: 'text/html', body: 'text' },
      'money-missing': { ...json, status: 422, body: { errors: [{ code: 'string', field: 'string|null' }] } },
    },
    callbacks: { method: 'PUT', contentType: 'text/plain', body: 'text' },
    customerAccountPath: '/payins/{idPayin}/account',
  }
}

describe('the OpenAPI document', () => {
  test.each(variants)('is valid, as a sandbox with %s serves it', async (_, options) => {
    await using gateway = await gatewayOf(options)
    const result = await new Validator().validate(structuredClone(gateway.document))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  test('has every endpoint, each with a name of its own', () => {
    expect(Object.keys(operations)).toEqual(routeNames)
    const ids = Object.values(operations).map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(variants)('says what is answered to its own examples, with %s', async (_, options) => {
    await using gateway = await gatewayOf(options)
    let answered = 0
    for (const [path, method, operation] of operationsOf(gateway.document)) {
      const examples = Object.entries(
        at(operation, 'requestBody', 'content', 'application/json', 'examples') ?? {},
      )
      for (const [name, example] of examples.length === 0 ? [['', undefined]] : examples) {
        const where = `${method} ${path} ${name}`
        const response = await gateway.send(path, method, operation, at(example, 'value'), String(name))
        expect(response.ok, `${where}: ${response.status}`).toBe(true)
        await gateway.expectDescribed(operation, response, where)
        answered += 1
      }
    }
    expect(answered).toBeGreaterThanOrEqual(15)
  })

  test.each(refusing)('says what is answered to requests that are refused, with %s', async (_, options) => {
    await using gateway = await gatewayOf(options)
    const seen = new Set<number>()
    for (const [path, method, operation] of operationsOf(gateway.document)) {
      for (const wrong of ['version', 'accept', 'token', 'body', 'type', 'scope', 'id'] as const) {
        const body = at(
          Object.values(Object(at(operation, 'requestBody', 'content', 'application/json', 'examples')))[0],
          'value',
        )
        const response = await gateway.send(path, method, operation, body, 'refused', wrong)
        if (response.ok) continue
        seen.add(response.status)
        await gateway.expectDescribed(operation, response, `${method} ${path}, wrong ${wrong}`)
      }
    }
    const refusals = options.profile?.refusals === undefined ? [404] : [404, 422]
    expect([...seen].sort()).toEqual([...new Set([400, 401, 403, ...refusals, 406, 415])].sort())
  })

  test('promises no field of a payin that is looked up, lets a fee be 0, and separates lists by commas', () => {
    const document = openApiDocument(defaultDocumentOptions)
    const found = JSON.stringify(at(document, 'components', 'schemas', 'PayinFound'))
    expect(found).toContain('"process"')
    expect(found).not.toContain('"required"')
    expect(at(document, 'components', 'schemas', 'Fee', 'properties', 'amount')).toMatchObject({ minimum: 0 })
    const fee = at(document, 'components', 'schemas', 'PayoutFound', 'properties', 'fee')
    expect(fee).toEqual({ $ref: '#/components/schemas/Fee' })
    const parameters = JSON.stringify(at(document, 'paths', '/balances', 'get', 'parameters'))
    expect(parameters).toContain('"style":"form","explode":false,"schema":{"type":"array"')
  })

  test('is read by anybody and changed by nobody, with the page and without', async () => {
    for (const page of [true, false]) {
      await using sandbox = createSandbox()
      const { url } = await sandbox.listen({ page })
      const answer = await fetch(`${url}/_sandbox/openapi.json`, {
        headers: { origin: 'https://tool.example' },
      })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] })
      expect((await fetch(`${url}/_sandbox/openapi.json`, { method: 'POST' })).status).toBe(405)
    }
  })

  // The sandbox has tables of its own, so that it can disagree with the client; what both know must agree.
  test.each([
    ['PayinCreated', payinCreateShape],
    ['PayinFound', payinShape],
    ['PayoutCreated', payoutCreateShape],
    ['PayoutFound', payoutShape],
    ['PaymentOptions', paymentOptionsShape],
    ['MerchantInfo', merchantInfoShape],
  ])('has every field of the schema by which the client reads a %s', (name, shape) => {
    const document = openApiDocument(defaultDocumentOptions)
    const described = fieldsOf(at(document, 'components', 'schemas', name), document)
    const read = fieldsOf(z.toJSONSchema(shape.schema, { unrepresentable: 'any', io: 'input' }))
    expect(read.length).toBeGreaterThan(0)
    expect(read.filter((field) => !described.includes(field))).toEqual([])
  })
})

type Wrong = 'version' | 'accept' | 'token' | 'body' | 'type' | 'scope' | 'id'

interface Described extends AsyncDisposable {
  readonly document: Readonly<Record<string, unknown>>
  /** A request as an operation describes it, or with one thing wrong. */
  send(
    path: string,
    method: string,
    operation: unknown,
    body: unknown,
    id: string,
    wrong?: Wrong,
  ): Promise<Response>
  /** Fails unless the operation describes the status and the body of the response. */
  expectDescribed(operation: unknown, response: Response, where: string): Promise<void>
}

async function gatewayOf(options: SandboxOptions): Promise<Described> {
  const sandbox = createSandbox({
    ...options,
    merchantCode: 'SANDBOX-MERCHANT',
    privateKey: privatePem,
    rateLimit: false,
    clock: 'virtual',
    startAt: SIGNED_AT,
  })
  const { url } = await sandbox.listen()
  const document: Record<string, unknown> = Object.fromEntries(
    Object.entries(Object(await (await fetch(`${url}/_sandbox/openapi.json`)).json())),
  )
  const server = url + String(at(document, 'servers', '0', 'url')).replace(/\/$/, '')
  const ajv = new Ajv2020({ strict: false })
  const compiled = new Map<string, ValidateFunction>()
  const tokenField = options.tokenField ?? options.profile?.tokens?.field ?? 'token'
  const unit = options.profile?.tokens?.timestampUnit === 'milliseconds' ? 1 : 1000
  formats.default(ajv)
  ajv.addSchema(document, 'document')

  const sign = async (path: string, body: unknown, bad = false) => {
    const text = JSON.stringify({ ...Object(body), timestamp: SIGNED_AT / unit })
    const signature = signatureOf(bad ? 'other' : text)
    return fetch(server + path, {
      method: 'POST',
      headers: { ...BODY_HEADERS, 'x-signature': signature },
      body: text,
    })
  }
  const mint = async (...operations: readonly string[]) => {
    const answer = await sign('/auth-tokens', { merchantCode: 'SANDBOX-MERCHANT', operations })
    const text = await answer.text()
    if (options.tokenFormat === 'text') return text
    const json: unknown = JSON.parse(text)
    return String(options.tokenFormat === 'json-string' ? json : at(json, ...tokenField.split('.')))
  }
  const tokens = { any: await mint('GET /.*', 'POST /.*'), other: await mint('GET /nothing') }

  return {
    document,
    async send(path, method, operation, body, id, wrong) {
      if (
        at(operation, 'security', '0', 'signature') !== undefined &&
        (wrong === undefined || wrong === 'token')
      ) {
        return sign(path, body, wrong === 'token')
      }
      const of = method === 'get' && wrong !== 'id' ? known(path) : wrong === 'id' ? '%2e' : `${id}-${method}`
      const place = path.replace(/\{\w+\}/, of)
      const headers: Record<string, string> = {
        ...(method === 'post' ? BODY_HEADERS : JSON_HEADERS),
        authorization: `Bearer ${wrong === 'scope' ? tokens.other : tokens.any}`,
      }
      if (wrong === 'version') delete headers['x-api-version']
      if (wrong === 'accept') headers.accept = 'text/html'
      if (wrong === 'token') headers.authorization = 'Bearer none'
      if (wrong === 'type') headers['content-type'] = 'text/plain'
      const text = wrong === 'body' ? '{}' : JSON.stringify(body)
      return fetch(server + place, {
        method: method.toUpperCase(),
        headers,
        ...(method === 'post' ? { body: text } : {}),
      })
    },
    async expectDescribed(operation, response, where) {
      const { status } = response
      const found = at(operation, 'responses', String(status))
      expect(found, `${where}: ${status} is not described`).toBeDefined()
      const reference = at(found, '$ref')
      const described = reference === undefined ? found : follow(document, String(reference))
      const text = await response.text()
      const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
      const schema = at(described, 'content', type, 'schema') ?? at(described, 'content', '*/*', 'schema')
      if (text === '') {
        // Of several refusals with one status, some have a body.
        if (options.profile === undefined) expect(at(described, 'content'), where).toBeUndefined()
      } else {
        expect(schema, `${where}: ${type}`).toBeDefined()
        const key = JSON.stringify(schema)
        const validate = compiled.get(key) ?? ajv.compile(absolute(schema))
        compiled.set(key, validate)
        const isValid = validate(type.startsWith('text/') ? text : JSON.parse(text))
        expect(isValid, `${where}: ${ajv.errorsText(validate.errors)} ${text}`).toBe(true)
      }
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }

  /** The id of a payment that an example has created. */
  function known(path: string): string {
    return path.startsWith('/payouts')
      ? (sandbox.payouts.list()[0]?.id ?? 'none')
      : (sandbox.payins.list()[0]?.id ?? 'none')
  }
}

/** Creates first, so that there is something to look up. */
function operationsOf(document: object): [path: string, method: string, operation: unknown][] {
  const all = Object.entries(Object(at(document, 'paths'))).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]): [string, string, unknown] => [
      path,
      method,
      operation,
    ]),
  )
  return all.sort(([, a], [, b]) => b.localeCompare(a))
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) => Object.entries(Object(inside)).find(([own]) => own === name)?.[1],
    value,
  )
}

function follow(document: object, reference: string): unknown {
  return at(document, ...reference.slice('#/'.length).split('/'))
}

/** A schema of the document outside of it. */
function absolute(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
}

/** The paths of all fields that a schema names. */
function fieldsOf(schema: unknown, document: object = {}, before = ''): string[] {
  const reference = at(schema, '$ref')
  if (reference !== undefined) return fieldsOf(follow(document, String(reference)), document, before)
  const inside = ['anyOf', 'allOf', 'oneOf'].flatMap((name) => Object.values(Object(at(schema, name))))
  const items = at(schema, 'items')
  return [
    ...inside.flatMap((one) => fieldsOf(one, document, before)),
    ...(items === undefined ? [] : fieldsOf(items, document, `${before}[]`)),
    ...Object.entries(Object(at(schema, 'properties'))).flatMap(([name, field]) => [
      `${before}.${name}`,
      ...fieldsOf(field, document, `${before}.${name}`),
    ]),
  ]
}
