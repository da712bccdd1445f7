/** What this package and the clients of Redis and PostgreSQL say without a code: whole, so that nobody's data is in it. */
const sentences = new RegExp(
  `^(?:${[
    'no response within \\d{1,10} ms',
    'Connection is closed\\.',
    'Connection terminated(?: unexpectedly| due to connection timeout)?',
    'Command timed out',
    'Cannot use a pool after calling end on the pool',
    'Client (?:has encountered a connection error|was closed) and is not queryable',
    "Stream isn't writeable and enableOfflineQueue options is false",
    'Socket closed unexpectedly',
    'The client is closed',
    'timeout exceeded when trying to connect',
  ].join('|')})$`,
)

/** How answers of Redis begin that say that it can't be used now, or not by this user. */
const refusals =
  /^(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOPERM|NOREPLICAS|OOM|READONLY|TRYAGAIN|WRONGPASS|WRONGTYPE)(?= )/

/** What logs call the failure of a store: a code, a known sentence, or a class. Another message may hold an address or a password. */
export function failureKind(reason: unknown): string {
  if (typeof reason !== 'object' || reason === null) return typeof reason
  const { code, name, message }: { code?: unknown; name?: unknown; message?: unknown } = reason
  const said = typeof message === 'string' ? (sentences.exec(message) ?? refusals.exec(message)) : null
  if (isWord(code)) return code
  return said?.[0] ?? (isWord(name) ? name : 'error')
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,40}$/.test(value)
}
