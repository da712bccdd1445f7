/** What a person would still read; what lies deeper, or comes after so many parts, is `any`. */
export const deepest = 12
export const mostParts = 2000
/** Entries of a list are alike, so the first ones tell. */
export const mostEntries = 50
/** More fields than an interface has are data: they go under `*`. */
export const mostFields = 200
