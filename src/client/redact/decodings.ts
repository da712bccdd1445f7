/** A text that was read out of another one, and where in that one each of its characters stands. */
export interface Decoding {
  readonly text: string
  /** For each UTF-16 unit of `text`. */
  readonly from: readonly number[]
  /** Exclusive. */
  readonly to: readonly number[]
}

/** One way to spell characters by others. */
interface Escaping {
  readonly form: RegExp
  readonly read: (escaped: string) => string
}

const mostDecodings = 16

/**
 * A text as it is, and as it reads when percent-encoding, entities of HTML and escapes of JSON are undone, in
 * any order and also one inside the other: a gateway may quote what another one has quoted.
 */
export function decodingsOf(text: string): readonly Decoding[] {
  const places = Array.from({ length: text.length }, (_, at) => at)
  const decodings: Decoding[] = [{ text, from: places, to: places.map((at) => at + 1) }]
  const seen = new Set([text])
  for (const decoding of decodings) {
    for (const escaping of escapings) {
      const next = decodings.length < mostDecodings ? undo(escaping, decoding) : undefined
      if (next === undefined || seen.has(next.text)) continue
      seen.add(next.text)
      decodings.push(next)
    }
  }
  return decodings
}

function undo({ form, read }: Escaping, { text, from, to }: Decoding): Decoding | undefined {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  const keep = (until: number) => {
    parts.push(text.slice(at, until))
    for (; at < until; at++) {
      starts.push(from[at] ?? 0)
      ends.push(to[at] ?? 0)
    }
  }
  for (const { 0: escaped, index } of text.matchAll(form)) {
    keep(index)
    const character = read(escaped)
    at = index + escaped.length
    parts.push(character)
    for (let unit = 0; unit < character.length; unit++) {
      starts.push(from[index] ?? 0)
      ends.push(to[at - 1] ?? 0)
    }
  }
  if (at === 0) return undefined
  keep(text.length)
  return { text: parts.join(''), from: starts, to: ends }
}

const accented =
  /^([a-z]{1,2})(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|strok|ogon|macr|breve|dot|dblac|lig)$/i
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  szlig: 'ß',
}
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const escapings: readonly Escaping[] = [
  {
    // A sequence of UTF-8 at a time; a byte that is none is Latin-1.
    form: /%(?:[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[\da-f]{2})/gi,
    read: (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(bytes.length === 3 ? 'latin1' : 'utf8'),
  },
  {
    form: /&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z]{2,8};)/gi,
    read(entity) {
      const name = entity.replace(/[&;]/g, '')
      if (name.startsWith('#')) return characterOf(name.replace(/^#(x?)/i, (_, hex) => (hex ? '0x' : '')))
      // Accents are no matter where texts are compared, and any other name is not a letter's.
      return named[name] ?? accented.exec(name)?.[1] ?? ' '
    },
  },
  {
    form: /[\\%]u[\da-f]{4}|\\u\{[\da-f]{1,6}\}|\\x[\da-f]{2}|\\[^ux]/gi,
    read(escaped) {
      const hex = /^.[ux]\{?([\da-f]+)/i.exec(escaped)?.[1]
      const sign = escaped.slice(1)
      return hex === undefined ? (short[sign] ?? sign) : characterOf(`0x${hex}`)
    },
  },
]

function characterOf(number: string): string {
  const code = Number(number)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}
