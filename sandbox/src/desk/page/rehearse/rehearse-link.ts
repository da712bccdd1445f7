import { showsSecret } from '../../../rehearse/act-text.js'
import type { ApplicationOrder, Rehearsals, Rehearsed } from '../../control/messages/rehearse.js'

/** What an address says of a rehearsal: enough to see it in this sandbox, and to play it again in another one. */
export interface LinkedRehearsal {
  /** Of this sandbox, as long as it runs. */
  readonly key: number
  readonly name: string
  readonly route: string | null
  /** Null where the application was a command or code: a web page must not start programs. */
  readonly order: ApplicationOrder | null
}

const names = ['result', 'case', 'at', 'before', 'act', 'status', 'paid'] as const

/** Takes a link's words out of an address again. */
export const noLink = Object.fromEntries(names.map((name) => [name, '']))

export function linkTo(
  { key, name, route }: Pick<Rehearsed, 'key' | 'name' | 'route'>,
  order: ApplicationOrder | null,
): string {
  const query = new URLSearchParams({ result: String(key), case: name })
  if (route !== null) query.set('at', route)
  const parts = order === null ? [] : Object.entries(order)
  // Whoever gets the link would get the secret.
  if (!parts.some(([, text]) => showsSecret(text))) for (const [part, text] of parts) query.set(part, text)
  return `#/rehearse?${query}`
}

/** The rehearsal that an address names; null when it names none. */
export function linkedIn(query: URLSearchParams): LinkedRehearsal | null {
  const name = query.get('case')
  if (name === null) return null
  const act = query.get('act')
  const more = ['before', 'status', 'paid'].flatMap((part) => {
    const text = query.get(part)
    return text === null ? [] : [[part, text]]
  })
  const order = act === null ? null : { act, ...Object.fromEntries(more) }
  return { key: Number(query.get('result')), name, route: query.get('at'), order }
}

/** The rehearsal to be shown: the one that the address names, else the newest. */
export function chosenOf(results: Rehearsals['results'], query: URLSearchParams): Rehearsed | null {
  const linked = linkedIn(query)
  const [newest = null] = results
  if (linked === null) return newest
  // Another sandbox counts its own from 1.
  return results.find(({ key, name }) => key === linked.key && name === linked.name) ?? null
}
