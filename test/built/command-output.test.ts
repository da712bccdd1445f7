import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { failure, outputs } from '../../packages/cli/src/command-output.js'

const require = createRequire(import.meta.url)

describe.each([['merchant-gateway', outputs]])('%s', (name, commands) => {
  test('has a schema for what each command prints with --json, which takes fields that come later', () => {
    const built: unknown = JSON.parse(
      readFileSync(require.resolve(`${name}/command-output.schema.json`), 'utf8'),
    )
    const all: Readonly<Record<string, z.ZodType>> = { ...commands, error: failure }
    const definitions = Object.entries(all).map(([command, schema]) => {
      const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
      return [`${name} ${command}`.trim(), rest]
    })
    expect(built).toMatchObject({ $defs: Object.fromEntries(definitions) })
    expect(JSON.stringify(built)).not.toContain('"additionalProperties":false')
  })
})
