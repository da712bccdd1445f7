/**
 * Whether a field at the top of a JSON object is a number that is not written as an integer, such as `9e2` or
 * `900.0`: what `JSON.parse` makes of it can't tell any more.
 *
 * @param json an object that `JSON.parse` takes
 */
export function isWrittenAsFraction(json: string, field: string): boolean {
  let depth = 0
  let name = ''
  let isValue = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at] ?? ''
    if (char === '"') {
      const end = endOfString(json, at)
      // An escape may stand in a name, so it is read as JSON.
      if (depth === 1 && !isValue) name = String(JSON.parse(json.slice(at, end)))
      at = end - 1
    } else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    else if (depth === 1 && (char === ':' || char === ',')) isValue = char === ':'
    else if (depth === 1 && name === field && /[.eE]/.test(char) && isNumber(json, at)) return true
  }
  return false
}

/** Where the string that begins at `start` has ended. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at + 1
  }
  return json.length
}

/** A point or an exponent follows a digit; the letters of true, false and null do not. */
function isNumber(json: string, at: number): boolean {
  return /\d/.test(json[at - 1] ?? '')
}
