/** More ways to read one text mean that it is made to hide something. */
const mostReadings = 64

/** The ways to read a text. */
export interface Readings {
  /** As it is, and with percent-encoding, entities of HTML and escapes of JSON undone. */
  readonly plain: readonly string[]
  /** The same of what it holds as base64 or hex; where it holds none, that is nonsense. */
  readonly unpacked: readonly string[]
}

/**
 * All ways to read a text, one encoding also inside another: a gateway may quote what another one has quoted.
 *
 * @throws {RangeError} where they are too many to look through.
 */
export function readingsOf(text: string): Readings {
  const plain = unescaped([text])
  return { plain, unpacked: unescaped(plain.flatMap(unpacked)) }
}

function unescaped(texts: readonly string[]): readonly string[] {
  const readings = new Set(texts)
  const most = readings.size + mostReadings
  // Those that are added are looked at as well.
  for (const reading of readings) {
    for (const { form, read } of escapings) readings.add(reading.replace(form, read))
    if (readings.size > most) throw new RangeError('too many readings')
  }
  return [...readings]
}

/**
 * What a text reads as where it is base64 (of either alphabet) or hex. Whatever stands between the characters is
 * passed over, and what stands before them may shift them: so each shift is tried.
 */
function unpacked(text: string): readonly string[] {
  const base64 = text.replace(/[^\w+/-]+/g, '')
  const hex = text.replace(/0x|[^\da-f]+/gi, '')
  return [
    ...[0, 1, 2, 3].map((shift) => Buffer.from(base64.slice(shift), 'base64').toString()),
    ...[0, 1].map((shift) => Buffer.from(hex.slice(shift), 'hex').toString()),
  ]
}

/** One way to spell characters by others. */
interface Escaping {
  readonly form: RegExp
  readonly read: (escaped: string) => string
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
