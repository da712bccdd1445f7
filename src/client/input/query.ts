import { wrongInput } from './check.js'

/** A value of a query; a list goes out as one value with commas (specification, section 4.4). */
export type QueryValue = string | number | boolean | readonly (string | number)[]

export function commaJoined(values: readonly (string | number)[], field: string): string {
  return values
    .map((value) => {
      const text = Number.isFinite(value) ? String(value) : value
      if (typeof text !== 'string' || text === '' || text.includes(',')) {
        throw wrongInput(field, 'must hold texts without commas, since commas join them')
      }
      return encode(text, field)
    })
    .join(',')
}

export function queryString(query: Readonly<Record<string, QueryValue | undefined>> = {}): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    const field = `query.${name}`
    const text = Array.isArray(value) ? commaJoined(value, field) : encode(written(value, field), field)
    pairs.push(`${encode(name, 'query')}=${text}`)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** What is no such value would go out as "[object Object]", or as "null". */
function written(value: unknown, field: string): string {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  throw wrongInput(field, 'must be a text, a finite number, a boolean, or a list of texts and numbers')
}

function encode(text: string, field: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw wrongInput(field, 'holds half a character')
  }
}
