import { sensitivityOf } from './sensitive-names.js'
import { leftOut } from './shell-words.js'

const named = /(["']?)([\w.%[\]-]{1,100})\1\s*[:=]\s*/g
const withScheme = /([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#'"]*@/gi
const withoutScheme = /(^|[\s'"=])[^\s'"/@:]{1,100}:[^\s'"/@]{1,200}@(?=[\w.[])/g

/**
 * A text without the values of names that say they are secret or a customer's, as in `password=x`, `"token":"x"` and
 * `Cookie: x`, and without the password of an address. Undefined where such a name stands for more than one text.
 */
export function withoutSecretPairs(text: string): string | undefined {
  const plain = text.replace(withScheme, `$1${leftOut}@`).replace(withoutScheme, `$1${leftOut}@`)
  let shown = ''
  let read = 0
  for (const match of plain.matchAll(named)) {
    const [whole, quote = '', name = ''] = match
    const begin = match.index + whole.length
    if (match.index < read || sensitivityOf(nameOf(name)) === undefined) continue
    const value = valueAt(plain.slice(begin), quote !== '')
    if (value === undefined) return undefined
    const isHidden = value !== '' && !/^["']?(?:\$\w+|\$\{\w+\}|\{n\}|\[left out\])["']?$/.test(value)
    shown += plain.slice(read, begin) + (isHidden ? leftOut : value)
    read = begin + value.length
  }
  return shown + plain.slice(read)
}

/** `customer[password]` and `customer.password` end in what they are about. */
function nameOf(name: string): string {
  return name.replaceAll(/%5b|%5d|[[\]]/gi, '.').replace(/\.+$/, '')
}

/** A text in quotes, a number in JSON, or all up to the next field of a form; undefined for an object or a list. */
function valueAt(text: string, isJson: boolean): string | undefined {
  const inQuotes = /^"(?:\\.|[^"\\])*"|^'[^']*'/s.exec(text)
  if (inQuotes !== null) return inQuotes[0]
  if (/^(?:\{(?!n\})|\[(?!left out\]))/.test(text)) return undefined
  return (isJson ? /^(?:\{n\}|[^,}\]\s])*/ : /^[^&]*/).exec(text)?.[0]
}
