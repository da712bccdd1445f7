import { InvalidInputError } from '../errors.js'

/**
 * JSON with every number as a decimal: `1e-7` is JSON too, and a gateway that reads amounts as decimals
 * need not take it.
 */
export function wireJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\de-\d/.test(json)) return json
  // Texts are matched as well, so that what they hold stays as it is.
  return json.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"|(\d)(?:\.(\d+))?e-(\d+)/g,
    (all, whole: string | undefined, fraction = '', zeros = '0') =>
      whole === undefined ? all : `0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`,
  )
}

/** What plain data inherits from. */
const prototypes = [Object, Array, String, Number, Boolean].map(({ prototype }) => prototype)

/**
 * @throws {InvalidInputError} for what JSON can't hold: a BigInt, a circle; and where another package of the process
 * has changed what `JSON.stringify` writes of plain data: another amount might be sent than was asked for.
 */
export function serialise(value: unknown): string {
  if (prototypes.some((prototype) => 'toJSON' in prototype)) {
    throw new InvalidInputError(
      'a package in this process has put toJSON on the prototype of plain data, which changes what JSON holds; nothing was sent. Find the package, or delete that property before payments are made.',
    )
  }
  try {
    return wireJson(value)
  } catch (cause) {
    throw new InvalidInputError(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
      {},
      cause,
    )
  }
}
