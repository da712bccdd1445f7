import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { profileJsonSchema } from '../../src/profile/json-schema.js'

test('the package has the JSON schema of what profiles are read by', () => {
  const file = createRequire(import.meta.url).resolve('merchant-gateway/gateway-profile.schema.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(profileJsonSchema)
})
