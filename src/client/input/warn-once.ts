const warned = new Set<string>()

/** Once for each code: clients may be made by the thousand. @param about what else must be the same. */
export function warnOnce(message: string, type: string, code: string, about = ''): void {
  const key = `${code} ${about}`
  if (warned.has(key)) return
  warned.add(key)
  process.emitWarning(message, { type, code })
}
