/** Beyond this a timer fires at once. */
export const longestMs = 2 ** 31 - 1

/** How a sentence names what {@link isDuration} takes. */
export const durationRange = `a number of milliseconds from 1 to ${longestMs}`

/** Whether a value is a time that a timer can wait. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= longestMs
}
