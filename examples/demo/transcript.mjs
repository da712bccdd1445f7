// @ts-check
const width = 80
const indent = '    '

/** Prints what the demo does, step by step. */
export class Transcript {
  #out
  #colour
  #step = 0
  /** Whether a line has been begun whose end is still to come. */
  #open = false

  /** @param {NodeJS.WriteStream} out */
  constructor(out) {
    this.#out = out
    this.#colour = out.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  }

  /** The number of the step that was begun last. */
  get step() {
    return this.#step
  }

  /** @param {string} text */
  heading(text) {
    this.#write(`\n${this.#paint('1', text)}\n`)
  }

  /** @param {string} text */
  say(text) {
    for (const line of wrapped(text, width - indent.length)) this.#write(`${indent}${line}\n`)
  }

  /** @param {string} title what is done, before it is done */
  begin(title) {
    this.#step++
    this.#open = true
    this.#write(`\n${String(this.#step).padStart(2)}  ${this.#paint('1', title.padEnd(40))}`)
  }

  /** @param {string} cost */
  done(cost) {
    this.#endLine(this.#paint('2', cost))
  }

  /** @param {string} why */
  skipped(why) {
    this.#endLine(this.#paint('33', 'skipped'))
    this.say(why)
  }

  /** @param {string} cost */
  failed(cost) {
    this.#endLine(this.#paint('31', `failed, ${cost}`))
  }

  /** Ends the line of a step that was interrupted. */
  interrupted() {
    if (this.#open) this.#endLine(this.#paint('33', 'interrupted'))
  }

  /** @param {readonly (readonly [string, number])[]} rows */
  table(rows) {
    for (const [name, count] of rows) this.#write(`${indent}${name.padEnd(42)}${String(count).padStart(3)}\n`)
  }

  /** @param {string} text */
  #endLine(text) {
    this.#open = false
    this.#write(` ${text}\n`)
  }

  /** @param {string} code @param {string} text */
  #paint(code, text) {
    return this.#colour ? `\u001b[${code}m${text}\u001b[0m` : text
  }

  /** @param {string} text */
  #write(text) {
    this.#out.write(text)
  }
}

/** @param {string} text @param {number} room */
function wrapped(text, room) {
  /** @type {string[]} */
  const lines = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** @param {{ requests: number, forTokens: number, ms: number }} cost */
export function costText({ requests, forTokens, ms }) {
  const tokens = forTokens === 0 || requests === 1 ? '' : ` (${forTokens} for a token)`
  return `${counted(requests, 'request')}${tokens}, ${Math.round(ms)} ms`
}

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The last four characters of an account number; the rest is nobody's business. @param {unknown} value */
export function masked(value) {
  return typeof value === 'string' && value.length > 6 ? `***${value.slice(-4)}` : '***'
}
