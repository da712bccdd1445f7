import { expect, test } from 'vitest'
import { postgresDedupe } from '../../../src/stores/postgres/index.js'

const connection = { query: async () => ({ rows: [] }) }

test.each([
  [postgresDedupe, undefined, 'postgresDedupe needs an object of options: connection.'],
  [postgresDedupe, { connection: 'postgres://' }, 'connection must be a Pool or a Client of pg.'],
  [postgresDedupe, { connection, schema: 'a"b' }, /^schema must be the name of a schema/],
  [postgresDedupe, { connection, merchant: 7 }, 'merchant must be a text of at most 200 characters.'],
  [postgresDedupe, { connection, shcema: 'a' }, /did you mean schema\?$/],
])('%o refuses what it can not work with: %o', (make, options, sentence) => {
  expect(() => Reflect.apply(make, undefined, [options])).toThrow(sentence)
})
