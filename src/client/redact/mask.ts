/** Takes the secrets that it was made for out of a text. Never throws. */
export type Hide = (text: string) => string

/** What stands where a secret stood. */
export const mask = '[redacted]'
