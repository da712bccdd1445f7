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

/** @throws {InvalidInputError} for what JSON can't hold: a BigInt, a circle. */
export function serialise(value: unknown): string {
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
