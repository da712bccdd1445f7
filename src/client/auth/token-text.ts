/** The longest token that is taken. It travels in a header, and servers read headers of 8 to 16 KiB. */
export const longestToken = 8192

/** Whether a value can go into a header: visible ASCII only. */
export function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}
