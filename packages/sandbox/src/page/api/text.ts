const formats = new Map<string, Intl.NumberFormat>()

/** An amount as the page writes it: as many decimals as the currency has, or more where the amount has more. */
export function amountText(value: number, currencyCode = ''): string {
  return formatOf(currencyCode).format(value)
}

/** Kept, because to make one takes longer than all that it does. */
function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals(currency),
    maximumFractionDigits: 10,
  })
  // Merchants may make up currencies without end.
  if (formats.size < 1000) formats.set(currency, format)
  return format
}

function decimals(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits ?? 0
  } catch {
    // No currency, or three letters that are no code of one: the gateway of a test takes them.
    return 0
  }
}

/** A length of time in words: `0 ms`, `1.25 s`, `3 min 20 s`, `1 d 2 h`. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2).replace(/\.?0+$/, '')} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return parts(seconds, 60, 'min', 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return parts(minutes, 60, 'h', 'min')
  return parts(Math.round(minutes / 60), 24, 'd', 'h')
}

function parts(value: number, size: number, large: string, small: string): string {
  const rest = value % size
  return `${Math.floor(value / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** A sentence with its placeholders filled in: `Paid {after}.` */
export function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
