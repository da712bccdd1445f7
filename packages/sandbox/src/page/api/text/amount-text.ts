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
