/**
 * The id of a payment's job: the payment's own, percent-encoded where BullMQ can't have that. It refuses integers and
 * colons, and on Redis an id is the end of a key, where `wait` or `events` are lists of BullMQ's own.
 */
export function jobIdOf(id: string): string {
  const encoded = id.replace(/[%:]/g, encodeURIComponent)
  if (!/^(?:-?\d+|NaN|[a-z-]+)$/.test(encoded)) return encoded
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`
}
