import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { profileJsonSchema } from '../../src/profile/json-schema.js'

test.each([['profiles', 'gateway-profile', profileJsonSchema]])(
  'the package has the JSON schema of what %s are read by',
  (_, name, schema) => {
    const file = createRequire(import.meta.url).resolve(`merchant-gateway/${name}.schema.json`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema)
  },
)
