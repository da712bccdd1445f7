import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { profileSchema } from '../../src/profile/schema.js'

test('the package has the JSON schema that profiles are read by', () => {
  const file = createRequire(import.meta.url).resolve('merchant-gateway/gateway-profile.schema.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(profileSchema)
})
