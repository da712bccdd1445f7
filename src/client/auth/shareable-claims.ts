import { escapePattern } from './operations.js'

/**
 * What the claims of a token show that a token for one payin must not have; empty where nothing does. The
 * specification shows no claim (section 5.1 says only that they can be read), so a name that is not known
 * says nothing; actions and operations are also known by how they are written.
 */
export function unshareable(claims: unknown, idPayin: string): string[] {
  const reading = readingOf(idPayin)
  const issues = new Set<string>()
  const visit = (value: unknown, name: string, depth: number): void => {
    if (typeof value === 'string') {
      const issue = issueOf(name, value, idPayin, reading)
      if (issue !== undefined) issues.add(`claims: ${issue}`)
    } else if (typeof value === 'object' && value !== null) {
      if (depth > deepest) issues.add('claims: too deep to be read')
      else {
        for (const [key, child] of Object.entries(value)) {
          visit(child, Array.isArray(value) ? name : key, depth + 1)
        }
      }
    }
  }
  visit(claims, '', 0)
  return [...issues]
}

const deepest = 6

function issueOf(name: string, value: string, idPayin: string, reading: readonly string[]) {
  if (/^actions?$/i.test(name)) return value === 'PAYIN_INFO' ? undefined : 'an action other than PAYIN_INFO'
  if (value === 'PAYIN_CREATE') return 'an action other than PAYIN_INFO'
  if (/^operations?$/i.test(name) || operation.test(value)) {
    return reading.includes(value) ? undefined : 'an operation other than reading this payin'
  }
  if (/^id_?(?:payment|payin|payout)$/i.test(name) && value !== idPayin) return 'the id of another payment'
  return undefined
}

const operation = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|\.?\*) +[/.*^(\\]/

/** The operation of PAYIN_INFO (section 2), as it may be written: the id as it is, encoded, escaped. */
function readingOf(idPayin: string): string[] {
  const encoded = encodeURIComponent(idPayin)
  const ids = [escapePattern(idPayin), escapePattern(encoded)]
  // As a pattern such an id would be one for other payments too.
  if (!/[*+?()[\]{}|^$\\]/.test(idPayin)) ids.push(idPayin, encoded)
  return ids.map((id) => `GET /payins/${id}`)
}
