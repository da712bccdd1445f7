import { oneLine } from '../common/text.js'
import { showsSecret } from './action-text.js'
import type { Activity } from './activity.js'

/** One line of what happened. Holds no credential, no body, no account, and no address but the gateway's paths. */
export interface HistoryLine {
  readonly atMs: number
  readonly who: 'customer' | 'application' | 'gateway'
  readonly text: string
}

/** What a rehearsal writes down itself; the gateway's part is in its logs. */
export interface Note {
  readonly at: number
  readonly who: HistoryLine['who']
  readonly text: string
}

const MOST_LINES = 80

const faultWords: Readonly<Record<string, string>> = {
  'drop-after': 'and the response was lost',
  'drop-before': 'and the connection was cut',
  'cut-body': 'and the response broke off',
  delay: 'and the response was held back',
  html: 'as a page of a proxy',
  mutate: 'and showed another sum',
  overtaken: 'because it arrived twice',
  'rate-limit': 'and not processed',
  'revoke-token': 'because the token was revoked',
  timeout: 'and never answered',
  status: 'by the fault',
}

export function historyOf(activity: Activity, notes: readonly Note[]): readonly HistoryLine[] {
  const short = shortNames(activity.requests.flatMap(({ idPayin, idPayout }) => idPayin ?? idPayout ?? []))
  const requests = activity.requests.map(({ at, method, path, status, fault }): Note => {
    const met = fault === undefined ? '' : ` ${faultWords[fault] ?? `(${fault})`}`
    const place = showsSecret(path) ? '[left out]' : path.replace(/[?#].*$/s, '').replace(/[^/]+$/, short)
    return { at, who: 'application', text: `${method} ${place}: ${status ?? 'no response'}${met}` }
  })
  const byGateway = (at: number, text: string): Note => ({ at, who: 'gateway', text })
  const statuses = activity.payments.flatMap(({ kind, id, history }) => {
    return history.map(({ at, status }) => byGateway(at, `${kind} ${short(id)} is ${status}`))
  })
  const callbacks = activity.callbacks.map(({ at, paymentStatus, id, response = 'no response' }) => {
    return byGateway(at, `callback for ${paymentStatus} of ${short(id)}: ${response}`)
  })
  const all = [...notes, ...requests, ...statuses, ...callbacks].sort((a, b) => a.at - b.at)
  const lines = all.map(({ at, who, text }) => {
    return { atMs: Math.max(0, Math.round(at - activity.startedAt)), who, text: oneLine(text) }
  })
  return shortened(folded(lines))
}

export function folded(lines: readonly HistoryLine[]): HistoryLine[] {
  const groups: { line: HistoryLine; count: number }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last !== undefined && last.line.text === line.text && last.line.who === line.who) last.count += 1
    else groups.push({ line, count: 1 })
  }
  return groups.map(({ line, count }) =>
    count === 1 ? line : { ...line, text: `${line.text} (${count} times)` },
  )
}

/** The beginning and the end stay: both matter more than the middle. */
function shortened(lines: readonly HistoryLine[]): readonly HistoryLine[] {
  const left = lines.length - MOST_LINES
  const half = MOST_LINES / 2
  const { atMs = 0 } = lines[half] ?? {}
  const gap = { atMs, who: 'gateway', text: `… ${left} lines are left out` } as const
  return left > 0 ? lines.toSpliced(half, left, gap) : lines
}

/** Long ids are cut, and no two of one history to the same text. */
export function shortNames(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)]
  const cut = (id: string, end: number) => {
    return id.length > 20 && /\d/.test(id) ? `${id.slice(0, 8)}…${id.slice(id.length - end)}` : id
  }
  const end = [0, 4, 8].find((length) => new Set(all.map((id) => cut(id, length))).size === all.length)
  return (id) => (end === undefined ? id : cut(id, end))
}
