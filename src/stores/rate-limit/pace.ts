/** How many requests fit into which span of time: never more than `slots` in any `windowMs`. */
export interface Pace {
  readonly slots: number
  readonly windowMs: number
}

/** The second that the gateway counts in, and 80 ms by which the network may squeeze what was sent evenly. */
export const secondMs = 1080

/** Ten a second are ten in 1080 ms; two and a half are three in 1296 ms; a half is one in 2160 ms. */
export function paceOf(requestsPerSecond: number): Pace {
  const slots = Math.ceil(requestsPerSecond)
  return { slots, windowMs: Math.ceil((secondMs * slots) / requestsPerSecond) }
}

/** From one request to the next where they come evenly. */
export function gapMs({ slots, windowMs }: Pace): number {
  return Math.ceil(windowMs / slots)
}
