/**
 * Never run: the compiler reads it (`npm run types`). An interface and its schema are one declaration: a line after
 * `@ts-expect-error` must not compile, every other one must.
 */

import * as z from '../../src/client/input/zod.js'
import { type PaymentProcess, processSchema } from '../../src/client/schemas/payment.js'
import { shapeOf } from '../../src/client/schemas/shape.js'

interface Noun {
  id: string
  process: PaymentProcess
  note?: string | null
  codes: { code: string; name: string }[]
  channels?: { name: string }[] | null
}

const id = z.string()
const process = processSchema
const note = z.nullish(z.string())
const codes = z.array(z.looseObject({ code: z.string(), name: z.string() }))
const channels = z.promised(z.array(z.looseObject({ name: z.string() })))
const schema = z.looseObject({ id, process, note, codes, channels })

export const same = shapeOf<Noun>()(schema)
interface Again extends Omit<Noun, 'note'> {
  note?: null | string
}
export const sameInOtherWords = shapeOf<Again>()(schema)

// @ts-expect-error a field has another type in the schema
shapeOf<Noun>()(z.looseObject({ id, process: z.number(), note, codes, channels }))
// @ts-expect-error a field is missing in the schema
shapeOf<Noun>()(z.looseObject({ id, process, codes, channels }))
// @ts-expect-error a required field may be absent in the schema
shapeOf<Noun>()(z.looseObject({ id: z.nullish(id), process, note, codes, channels }))
// @ts-expect-error an optional field is required in the schema
shapeOf<Noun>()(z.looseObject({ id, process, note: z.string(), codes, channels }))
// @ts-expect-error the schema has a field more
shapeOf<Noun>()(z.looseObject({ id, process, note, codes, channels, more: z.string() }))
// @ts-expect-error a field has another name
shapeOf<Noun>()(z.looseObject({ id, process, notes: note, codes, channels }))
// @ts-expect-error a list is a text
shapeOf<Noun>()(z.looseObject({ id, process, note, codes: z.string(), channels }))
const numbered = z.array(z.looseObject({ code: z.string(), name: z.number() }))
// @ts-expect-error a name is a number in a list
shapeOf<Noun>()(z.looseObject({ id, process, note, codes: numbered, channels }))
const unpromised = z.array(z.looseObject({ name: z.string() }))
// @ts-expect-error a channel is promised no more
shapeOf<Noun>()(z.looseObject({ id, process, note, codes, channels: unpromised }))
const numberedStatus = z.looseObject({ status: z.number() })
// @ts-expect-error a status is a number
shapeOf<Noun>()(z.looseObject({ id, process: numberedStatus, note, codes, channels }))

interface OtherType extends Omit<Noun, 'id'> {
  id: number
}
// @ts-expect-error a field has another type in the interface
shapeOf<OtherType>()(schema)
interface Missing extends Omit<Noun, 'note'> {}
// @ts-expect-error a field is missing in the interface
shapeOf<Missing>()(schema)
interface NotNull extends Omit<Noun, 'note'> {
  note?: string
}
// @ts-expect-error a field is not null in the interface
shapeOf<NotNull>()(schema)
interface Optional extends Omit<Noun, 'id'> {
  id?: string
}
// @ts-expect-error a required field may be absent in the interface
shapeOf<Optional>()(schema)
