import { Validator } from '@seriousme/openapi-schema-validator'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { routeNames } from '../../../sandbox/src/gateway/wire/routes.js'
import { createSandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import { defaultDocumentOptions, openApiDocument } from '../../../sandbox/src/openapi/document.js'
import { operations } from '../../../sandbox/src/openapi/operations.js'
import { merchantInfoShape } from '../../../src/client/schemas/account-data.js'
import { payinCreateShape, payinShape, paymentOptionsShape } from '../../../src/client/schemas/payins.js'
import { payoutCreateShape, payoutShape } from '../../../src/client/schemas/payouts.js'
import { BODY_HEADERS, JSON_HEADERS, privatePem, SIGNED_AT, signatureOf } from '../support.js'

const variants: readonly SandboxOptions[] = [
  {},
  { strictness: 'specification' },
  { errorFormat: 'errors', payinStatusIn: 'top', tokenField: 'access_token' },
  { tokenFormat: 'text', basePath: '/api', customerAccountPath: '/payins/{idPayin}/account' },
]

describe('the OpenAPI document', () => {
  test.each(variants)('is valid, as a sandbox with %j serves it', async (options) => {
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

  test.each(variants)('says what is answered to its own examples, with %j', async (options) => {
    await using gateway = await gatewayOf(options)
    let answered = 0
    for (const [path, method, operation] of operationsOf(gateway.document)) {
      const examples = Object.entries(
        at(operation, 'requestBody', 'content', 'application/json', 'examples') ?? {},
      )
      for (const [name, example] of examples.length === 0 ? [['', undefined]] : examples) {
        const where = `${method} ${path} ${name}`
        const response = await gateway.send(path, method, operation, at(example, 'value'), String(name))
        expect(response.status, where).toBe(200)
        await gateway.expectDescribed(operation, response, where)
        answered += 1
      }
    }
    expect(answered).toBeGreaterThanOrEqual(15)
  })

  test.each(variants.slice(0, 2))(
    'says what is answered to requests that are refused, with %j',
    async (options) => {
      await using gateway = await gatewayOf(options)
      const seen = new Set<number>()
      for (const [path, method, operation] of operationsOf(gateway.document)) {
        for (const wrong of ['version', 'accept', 'token', 'body', 'type', 'scope', 'id'] as const) {
          const body = at(
            Object.values(Object(at(operation, 'requestBody', 'content', 'application/json', 'examples')))[0],
            'value',
          )
          const response = await gateway.send(path, method, operation, body, 'refused', wrong)
          if (response.status === 200) continue
          seen.add(response.status)
          await gateway.expectDescribed(operation, response, `${method} ${path}, wrong ${wrong}`)
        }
      }
      expect([...seen].sort()).toEqual([400, 401, 403, 404, 406, 415])
    },
  )

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
  formats.default(ajv)
  ajv.addSchema(document, 'document')

  const sign = async (path: string, body: unknown, bad = false) => {
    const text = JSON.stringify({ ...Object(body), timestamp: SIGNED_AT / 1000 })
    const signature = signatureOf(bad ? 'other' : text)
    return fetch(server + path, {
      method: 'POST',
      headers: { ...BODY_HEADERS, 'x-signature': signature },
      body: text,
    })
  }
  const mint = async (operations: readonly string[]) => {
    const answer = await sign('/auth-tokens', { merchantCode: 'SANDBOX-MERCHANT', operations })
    const text = await answer.text()
    return options.tokenFormat === 'text' ? text : String(at(JSON.parse(text), options.tokenField ?? 'token'))
  }

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
      const token = await mint(wrong === 'scope' ? ['GET /nothing'] : ['GET /.*', 'POST /.*'])
      const headers: Record<string, string> = {
        ...(method === 'post' ? BODY_HEADERS : JSON_HEADERS),
        authorization: `Bearer ${token}`,
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
      const schema = at(described, 'content', type, 'schema')
      if (text === '') expect(at(described, 'content'), where).toBeUndefined()
      else {
        expect(schema, `${where}: ${type}`).toBeDefined()
        const key = JSON.stringify(schema)
        const validate = compiled.get(key) ?? ajv.compile(absolute(schema))
        compiled.set(key, validate)
        const isValid = validate(type === 'application/json' ? JSON.parse(text) : text)
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
