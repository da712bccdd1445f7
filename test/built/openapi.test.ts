import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { defaultDocumentOptions, openApiDocument } from '../../packages/sandbox/src/openapi/document.js'

test('the package has the OpenAPI document that a sandbox without options serves', () => {
  const file = createRequire(import.meta.url).resolve('merchant-gateway-sandbox/openapi.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(openApiDocument(defaultDocumentOptions))
})
