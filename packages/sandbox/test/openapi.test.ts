import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { routeNames } from '../src/gateway/wire/routes.js'
import { createSandbox } from '../src/index.js'
import { BODY_HEADERS, JSON_HEADERS, privatePem, SIGNED_AT, signatureOf } from './support.js'

const document: Record<string, unknown> = parse(
  readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'),
)

/** Every operation of the document; creates first, so that there is a payment to ask for. */
const operations = Object.entries(Object(at(document, 'paths')))
  .flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({ path, method, operation })),
  )
  .sort((a, b) => b.method.localeCompare(a.method))

test('the document is valid, and has every route of the sandbox', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect({ valid, errors: errors ?? [] }).toEqual({ valid: true, errors: [] })
  const routes = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  expect(routes.toSorted()).toEqual(routeNames.toSorted())
  expect(new Set(operations.map(({ operation }) => at(operation, 'operationId'))).size).toBe(routes.length)
})

test('it describes what the sandbox answers to its own examples, and to what is wrong with them', async () => {
  const merchantCode = 'SANDBOX-MERCHANT'
  await using sandbox = createSandbox({
    ...{ merchantCode, privateKey: privatePem, rateLimit: false, clock: 'virtual', startAt: SIGNED_AT },
  })
  const { url } = await sandbox.listen()
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'document')

  const mint = (path: string, body: unknown, isWrong = false) => {
    const text = JSON.stringify({ ...Object(body), timestamp: SIGNED_AT / 1000 })
    const headers = { ...BODY_HEADERS, 'x-signature': signatureOf(isWrong ? 'other' : text) }
    return fetch(url + path, { method: 'POST', headers, body: text })
  }
  const tokenFor = async (...allowed: readonly string[]) =>
    String(at(await (await mint('/auth-tokens', { merchantCode, operations: allowed })).json(), 'token'))
  const tokens = { any: await tokenFor('GET /.*', 'POST /.*'), other: await tokenFor('GET /nothing') }

  const expectDescribed = async (operation: unknown, response: Response, where: string) => {
    const found = at(operation, 'responses', String(response.status))
    expect(found, `${where}: ${response.status} is not described`).toBeDefined()
    const reference = at(found, '$ref')
    const described = reference === undefined ? found : at(document, ...String(reference).slice(2).split('/'))
    const schema = at(described, 'content', 'application/json', 'schema')
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
    const body: unknown = await response.json()
    expect(validate(body), `${where}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(body)}`).toBe(true)
  }

  const statuses = new Set<number>()
  for (const { path, method, operation } of operations) {
    const examples = at(operation, 'requestBody', 'content', 'application/json', 'examples') ?? { none: {} }
    const isMint = path.startsWith('/auth-tokens')
    const payments = path.startsWith('/payouts') ? sandbox.payouts : sandbox.payins
    for (const [name, example] of Object.entries(Object(examples))) {
      for (const wrong of [undefined, 'version', 'accept', 'token', 'body', 'type', 'scope', 'id'] as const) {
        const id = method === 'get' ? (payments.list()[0]?.id ?? '') : `${name}-${wrong}`
        const headers: Record<string, string> = {
          ...(method === 'post' ? BODY_HEADERS : JSON_HEADERS),
          authorization: `Bearer ${wrong === 'scope' ? tokens.other : wrong === 'token' ? 'none' : tokens.any}`,
        }
        if (wrong === 'version') delete headers['x-api-version']
        if (wrong === 'accept') headers.accept = 'text/html'
        if (wrong === 'type') headers['content-type'] = 'text/plain'
        const body = wrong === 'body' ? {} : at(example, 'value')
        const response = await (isMint && (wrong === undefined || wrong === 'token')
          ? mint(path, body, wrong === 'token')
          : fetch(url + path.replace(/\{\w+\}/, wrong === 'id' ? '%2e' : id), {
              method: method.toUpperCase(),
              headers,
              ...(method === 'post' && { body: JSON.stringify(body) }),
            }))
        const where = `${method} ${path} ${name} ${wrong ?? 'as it is'}`
        if (wrong === undefined) expect(response.status, where).toBe(200)
        statuses.add(response.status)
        await expectDescribed(operation, response, where)
      }
    }
  }
  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 406, 415])
})

/** What stands at a path. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) => Object.entries(Object(inside)).find(([own]) => own === name)?.[1],
    value,
  )
}
