/** Shows a text that came from outside as it is, or `mask` in its place. Never throws. */
export type Hide = (text: string) => string

/** What stands in place of a text that is not shown. */
export const mask = "not shown, since it held a secret or a customer's value"
