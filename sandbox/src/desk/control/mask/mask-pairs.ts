import { sensitivityOf } from '../../../rehearse/sensitive-names.js'

const MASK = '[redacted]'
/** A name and its value in a query or a fragment; what begins another pair within the value is looked at below. */
const pair = /([?&;#])([^\s=&;#?]+)=([^ \t\r\n&]*)/g
/** Only in a query: as names of fields they hold what is looked at by itself, or what everybody may know. */
const customerQuery = /^(?:account|acct|name|holder|recipient|beneficiary|payee|payer)$/i
const iban = /^[a-z]{2}\d{2}[a-z\d]{11,30}$/i
/** A query in a query in a query is nobody's; and who sends one may send ten thousand. */
const MAX_DEPTH = 3

/** How a value is shown under its name. */
type ShowNamed = (name: string, value: string) => string

/** A text in which the values of queries are masked by their names, however names and values are encoded. */
export function shownPairs(text: string, show: ShowNamed, depth = 0): string {
  return text.replace(pair, (_whole, before: string, name: string, value: string) => {
    return `${before}${name}=${shownValue(decoded(name), value, show, depth)}`
  })
}

function shownValue(name: string, value: string, show: ShowNamed, depth: number): string {
  const plain = decoded(value)
  const letters = plain.replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (sensitivityOf(name) !== undefined) return show(name, letters)
  if (customerQuery.test(name) || plain.includes('@')) return show('e-mail', letters)
  if (iban.test(letters) && /\d{4}/.test(letters)) return show('iban', letters)
  if (!plain.includes('=')) return show('', value)
  // Another query is in it, and is shown only if nothing of it is to be hidden.
  const inside = `?${plain}`
  return depth < MAX_DEPTH && shownPairs(inside, show, depth + 1) === inside ? value : MASK
}

/** Who encodes twice hides nothing. */
function decoded(text: string): string {
  let plain = text.replaceAll('+', ' ')
  for (let time = 0; time < MAX_DEPTH && plain.includes('%'); time += 1) plain = decodedOnce(plain)
  return plain
}

function decodedOnce(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll('%', ''), 'hex').toString(),
  )
}
