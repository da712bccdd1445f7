/** Whether a class, a dot or a letter takes this UTF-16 unit. */
export type Takes = (unit: number) => boolean

/** A pattern as a tree. `size` is how many steps it has with all its repetitions written out. */
export type Node =
  | { readonly kind: 'unit'; readonly takes: Takes; readonly size: number }
  | { readonly kind: 'start' | 'end'; readonly size: number }
  | { readonly kind: 'all' | 'either'; readonly parts: readonly Node[]; readonly size: number }
  | {
      readonly kind: 'repeat'
      readonly part: Node
      readonly min: number
      /** Infinity for no end. */
      readonly max: number
      readonly size: number
    }

/** Why a text is no pattern that this sandbox matches. */
export class PatternProblem extends Error {}

/** No pattern is longer, in characters. */
export const MAX_LENGTH = 8192
/** No pattern has more steps when its repetitions are written out. */
export const MAX_SIZE = 10_000

const MAX_DEPTH = 50
const lineEnds = new Set([0x0a, 0x0d, 0x2028, 0x2029])
const classes: Readonly<Record<string, Takes>> = {
  d: among(/\d/),
  D: among(/\D/),
  w: among(/\w/),
  W: among(/\W/),
  s: among(/\s/),
  S: among(/\S/),
}

/**
 * Reads the subset of regular expressions that can be matched in linear time, with the meaning that
 * JavaScript gives it: literals, `.`, classes and their negation, `\d` `\w` `\s` and their capitals, escaped
 * punctuation, groups with and without `?:`, `|`, `*` `+` `?` `{m}` `{m,}` `{m,n}` also with a `?` behind,
 * `^` and `$`. Brackets and braces that mean themselves have to be escaped.
 *
 * @throws PatternProblem for everything else: backreferences, lookaround, named groups, flags
 */
export function readPattern(text: string): Node {
  if (text.length > MAX_LENGTH) throw new PatternProblem(`is longer than ${MAX_LENGTH} characters`)
  return new Reader(text).whole()
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Node {
    const node = this.#either()
    if (this.#at < this.#text.length) throw new PatternProblem('has a ) without its (')
    return node
  }

  #either(): Node {
    const parts = [this.#sequence()]
    while (this.#skip('|')) parts.push(this.#sequence())
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : group('either', parts)
  }

  #sequence(): Node {
    const parts: Node[] = []
    for (let next = this.#next(); next !== '' && next !== '|' && next !== ')'; next = this.#next()) {
      parts.push(this.#repeated())
    }
    return group('all', parts)
  }

  #repeated(): Node {
    const part = this.#atom()
    const times = this.#times()
    if (times === undefined) return part
    if (part.kind === 'start' || part.kind === 'end') throw new PatternProblem('repeats ^ or $')
    // A lazy repetition finds another match than a greedy one, and here only counts whether there is a match.
    this.#skip('?')
    if (this.#times() !== undefined) throw new PatternProblem('has two repetitions in a row')
    const [min, max] = times
    const copies = max === Number.POSITIVE_INFINITY ? min + 1 : max
    return { kind: 'repeat', part, min, max, size: bounded(1 + copies * (part.size + 1)) }
  }

  #times(): readonly [min: number, max: number] | undefined {
    if (this.#skip('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#skip('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#skip('?')) return [0, 1]
    if (this.#next() !== '{') return undefined
    const written = /^\{(\d{1,5})(,)?(\d{1,5})?\}/.exec(this.#text.slice(this.#at, this.#at + 13))
    if (written === null || (written[2] === undefined && written[3] !== undefined)) {
      throw new PatternProblem('has a { that begins no repetition; one that means itself is written \\{')
    }
    this.#at += written[0].length
    const min = Number(written[1])
    const max = written[2] === undefined ? min : Number(written[3] ?? Number.POSITIVE_INFINITY)
    if (max < min) throw new PatternProblem('repeats from more to less')
    return [min, max]
  }

  #atom(): Node {
    const char = this.#take()
    if (char === '(') return this.#group()
    if (char === '[') return unit(this.#class())
    if (char === '.') return unit((code) => !lineEnds.has(code))
    if (char === '^') return { kind: 'start', size: 1 }
    if (char === '$') return { kind: 'end', size: 1 }
    if (char === '\\') return unit(takes(this.#escape()))
    if ('*+?'.includes(char)) throw new PatternProblem('repeats nothing')
    if ('{}]'.includes(char)) throw new PatternProblem(`has a ${char} that is not escaped`)
    return unit(takes(char.charCodeAt(0)))
  }

  #group(): Node {
    if (this.#skip('?') && !this.#skip(':')) {
      throw new PatternProblem('looks around, names a group or sets a flag')
    }
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new PatternProblem(`nests groups more than ${MAX_DEPTH} deep`)
    const node = this.#either()
    if (!this.#skip(')')) throw new PatternProblem('has a ( without its )')
    this.#depth -= 1
    return node
  }

  /** The unit that an escape stands for, or the class. */
  #escape(): number | Takes {
    const char = this.#take()
    const known = Object.hasOwn(classes, char) ? classes[char] : undefined
    if (known !== undefined) return known
    if (char === '' || /[\w\s]|[^\x20-\x7e]/.test(char)) {
      throw new PatternProblem(`has the escape \\${char}, which is not supported`)
    }
    return char.charCodeAt(0)
  }

  #class(): Takes {
    const isNegated = this.#skip('^')
    const members: Takes[] = []
    while (!this.#skip(']')) {
      const from = this.#member()
      // A minus just before the ] stands for itself.
      if (this.#next() === '-' && this.#text[this.#at + 1] !== ']') {
        this.#at += 1
        members.push(range(from, this.#member()))
      } else members.push(takes(from))
    }
    if (members.length === 0) throw new PatternProblem('has an empty class')
    return (code) => members.some((member) => member(code)) !== isNegated
  }

  #member(): number | Takes {
    const char = this.#take()
    if (char === '') throw new PatternProblem('has a [ without its ]')
    if (char === '[') throw new PatternProblem('has a [ in a class that is not escaped')
    return char === '\\' ? this.#escape() : char.charCodeAt(0)
  }

  #next(): string {
    return this.#text[this.#at] ?? ''
  }

  #take(): string {
    const char = this.#next()
    this.#at += 1
    return char
  }

  #skip(char: string): boolean {
    if (this.#next() !== char) return false
    this.#at += 1
    return true
  }
}

function group(kind: 'all' | 'either', parts: readonly Node[]): Node {
  return { kind, parts, size: bounded(parts.reduce((sum, { size }) => sum + size, 1)) }
}

function unit(takes: Takes): Node {
  return { kind: 'unit', takes, size: 1 }
}

/** Checked while it is read: repetitions of repetitions grow faster than they could be written out. */
function bounded(size: number): number {
  if (size > MAX_SIZE) throw new PatternProblem(`has more than ${MAX_SIZE} steps when written out`)
  return size
}

function takes(what: number | Takes): Takes {
  return typeof what === 'number' ? (code) => code === what : what
}

function range(from: number | Takes, to: number | Takes): Takes {
  if (typeof from !== 'number' || typeof to !== 'number' || to < from) {
    throw new PatternProblem('has a range that goes from nothing to nothing')
  }
  return (code) => code >= from && code <= to
}

function among(pattern: RegExp): Takes {
  return (code) => pattern.test(String.fromCharCode(code))
}
