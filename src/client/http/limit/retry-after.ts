/** No header, whatever it says, may stop a merchant's payments until the process is started anew. */
export const longestPauseMs = 3_600_000
/** How often the gateway is tried while it asks for more than can be waited. */
const tryAgainMs = 60_000

/** The pause after a 429: as asked where the refused call can wait, else a minute. A year in one header would end all payments. */
export function followedMs(askedMs: number, leftMs: number): number {
  return askedMs <= Math.min(leftMs, longestPauseMs) ? askedMs : Math.min(askedMs, tryAgainMs)
}

export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,15}(\.\d+)?$/.test(text)) return Number(text) * 1000
  // V8 takes almost anything for a date.
  const at = /^[A-Z][a-z]{2}.* \d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
