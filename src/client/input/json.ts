import { InvalidInputError } from '../errors.js'

/** What a text says as JSON; undefined where it is none, which no JSON is. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The parsed body; undefined where it is no JSON. */
export function parseJson(body: string): unknown {
  return jsonOf(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body)
}

/** With every number as a decimal: `1e-7` is JSON too, and a gateway that reads amounts as decimals need not take it. */
function withoutExponents(json: string): string {
  // Texts are matched as well, so that what they hold stays as it is.
  return json.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"|(\d)(?:\.(\d+))?e-(\d+)/g,
    (all, whole: string | undefined, fraction = '', zeros = '0') =>
      whole === undefined ? all : `0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`,
  )
}

/**
 * JSON as it goes out, with every number as a decimal.
 *
 * @throws for what JSON can't hold: a BigInt, a circle ({@link InvalidInputError}).
 */
export function serialise(value: unknown): string {
  try {
    const json = JSON.stringify(value)
    return /\de-\d/.test(json) ? withoutExponents(json) : json
  } catch (cause) {
    throw new InvalidInputError(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
      {},
      cause,
    )
  }
}
