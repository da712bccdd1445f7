/** Date and time of day, as ISO 8601 writes them. */
const form = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/
/** Years before and after are what gateways write in place of a time that they don't have. */
const [first, last] = [Date.UTC(2000, 0, 2), Date.UTC(2099, 11, 30)]

/** The time that a field of a response says, in milliseconds since 1970; undefined for anything else that is there. */
export function timeIn(field: unknown): number | undefined {
  const time = typeof field === 'string' && form.test(field) ? Date.parse(field) : Number.NaN
  return time >= first && time <= last ? time : undefined
}
