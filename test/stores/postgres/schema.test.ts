import { expect, test } from 'vitest'
import { schemaSql } from '../../../src/stores/postgres/index.js'

test.each(['a"; DROP TABLE orders; --', 'a b', '1a', '', 'x'.repeat(64)])(
  'schemaSql refuses the name %j, which would be other SQL than was meant',
  (schema) => {
    expect(() => schemaSql({ schema })).toThrow(
      'schema must be the name of a schema: letters, digits and underscores, 63 at most.',
    )
  },
)

test('schemaSql quotes the name that it takes', () => {
  expect(schemaSql({ schema: 'Payments_2' })).toContain('"Payments_2".merchant_gateway_seen')
})
