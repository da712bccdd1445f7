/**
 * What a JSON value is made of. A field whose name ends in `?` was not always there, or was null in place of a list
 * or an object; the field `*` stands for any number of fields whose names are data; `[]` is a list that was seen
 * empty, and else a list has one entry, which is what all of its entries are made of; `text` is a body that is no
 * JSON.
 */
export type Shape =
  | ScalarShape
  | readonly Shape[]
  | {
      /** What the field is made of. */
      readonly [field: string]: Shape
    }

/** A value without parts, or more than one kind of it: `string|null`, `number|string`; `any` where a list or an object was seen beside it. */
export type ScalarShape = string
