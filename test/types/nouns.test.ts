import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compile, complaints, fileOf } from './compiler.js'

type Change = readonly [what: string, file: string, before: string, after: string]

const changes: readonly Change[] = [
  [
    'a field has another type in the schema',
    'payouts',
    '    process: processSchema,',
    '    process: z.number(),',
  ],
  ['a field is missing in the schema', 'payouts', '    fee: z.optional(moneySchema),\n', ''],
  [
    'a required field may be absent in the schema',
    'payouts',
    '  idPayout: z.string(),',
    '  idPayout: z.optional(z.string()),',
  ],
  [
    'an optional field is required in the schema',
    'payouts',
    '    fee: z.optional(moneySchema),',
    '    fee: moneySchema,',
  ],
  [
    'the schema has a field more',
    'payouts',
    '    process: processSchema,',
    '    process: processSchema,\n    more: z.string(),',
  ],
  [
    'a field has another type in the interface',
    'payouts',
    '  process: PaymentProcess\n',
    '  process: number\n',
  ],
  ['a field is missing in the interface', 'payouts', '  fee?: Money | null\n', ''],
  ['a field is not null in the interface', 'payouts', '  fee?: Money | null\n', '  fee?: Money\n'],
  [
    'a required field may be absent in the interface',
    'payouts',
    '  process: PaymentProcess\n',
    '  process?: PaymentProcess\n',
  ],
  [
    'a status is a number, where both kinds have it',
    'payment',
    "  status: z.code<'SUCCESS'>(),",
    '  status: z.number(),',
  ],
  [
    'an account has another field',
    'account',
    '  bankName: z.optional(z.string()),',
    '  bank: z.optional(z.string()),',
  ],
  [
    'a list is a text',
    'payins',
    'z.array(z.looseObject({ code: z.string(), name: z.string() }))',
    'z.string()',
  ],
  ['a name is a number in a list', 'payins', 'name: z.string() })', 'name: z.number() })'],
  [
    'a channel is promised no more',
    'account-data',
    'z.promised(z.looseObject({ name: z.string() }))',
    'z.looseObject({ name: z.string() })',
  ],
]
const harmless: Change = ['nothing is changed', 'payouts', 'fee?: Money | null', 'fee?: null | Money']

const schemas = new Map(
  readdirSync(fileOf('src/client/schemas')).map((file) => [
    file,
    readFileSync(fileOf(`src/client/schemas/${file}`), 'utf8'),
  ]),
)
/** The files in which an interface meets its schema. */
const nouns = ['account-data.ts', 'payins.ts', 'payouts.ts']

/** All schemas once for each change, beside each other, so that the compiler reads everything else once. */
const all = [...changes, harmless]
const folder = (n: number) => fileOf(`src/client/schemas-${n}/`)
const texts = all.flatMap(([, changed, before, after], n) =>
  [...schemas].map(([file, text]) => {
    if (file !== `${changed}.ts`) return [folder(n) + file, text] as const
    if (text.split(before).length !== 2) throw new Error(`${before} must be in ${file} once`)
    return [folder(n) + file, text.replace(before, after)] as const
  }),
)
const program = compile(new Map(texts))
const said = (n: number) => nouns.flatMap((file) => complaints(program, folder(n) + file))

describe('an interface and its schema are one declaration: it does not compile when', () => {
  it.each(changes.map(([what], n) => [what, n] as const))('%s', (_what, n) => {
    expect(said(n)).toContain('Expected 2 arguments, but got 1.')
  })

  it('and it does where nothing is changed', () => {
    expect(said(changes.length)).toEqual([])
  })
})
