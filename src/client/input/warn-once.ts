const warned = new Set<string>()

/** A warning of the process, once for each code: clients may be made by the thousand. */
export function warnOnce(message: string, type: string, code: string): void {
  if (warned.has(code)) return
  warned.add(code)
  process.emitWarning(message, { type, code })
}
