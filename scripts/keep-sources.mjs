// @ts-check
// A source map without some of its sources. What came from them leads nowhere.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * @typedef {{ version: number, sources: string[], sourcesContent: string[], mappings: string, names: string[] }} SourceMap
 */

/**
 * Keeps the sources that `isKept` says, with their contents; names are dropped, since dist keeps them.
 *
 * @param {SourceMap} map
 * @param {(source: string) => boolean} isKept
 * @returns {SourceMap}
 */
export function keepSources(map, isKept) {
  const kept = map.sources.flatMap((source, index) => (isKept(source) ? [index] : []))
  const places = new Map(kept.map((index, place) => [index, place]))
  return {
    version: map.version,
    sources: kept.map((index) => map.sources[index] ?? ''),
    sourcesContent: kept.map((index) => map.sourcesContent[index] ?? ''),
    names: [],
    mappings: renumber(map.mappings, places),
  }
}

/** @param {string} mappings @param {ReadonlyMap<number, number>} places the new index of each source that is kept */
function renumber(mappings, places) {
  // All fields but the column of the output count from the segment before, across lines.
  let [source, line, column] = [0, 0, 0]
  let [lastSource, lastLine, lastColumn] = [0, 0, 0]
  // Across lines too: Node looks for the nearest segment before a place, in whatever line that is.
  let isMapped = false
  return mappings
    .split(';')
    .map((text) => {
      let [at, lastAt] = [0, 0]
      /** @type {string[]} */
      const segments = []
      for (const segment of text === '' ? [] : text.split(',')) {
        const [atStep = 0, sourceStep, lineStep = 0, columnStep = 0] = decode(segment)
        at += atStep
        source += sourceStep ?? 0
        line += lineStep
        column += columnStep
        const place = sourceStep === undefined ? undefined : places.get(source)
        // One segment says that what follows leads nowhere; more would say it again.
        if (place === undefined && !isMapped) continue
        // A place leads to its line, which halves the map; the rest of a line leads there by itself.
        if (place !== undefined && isMapped && place === lastSource && line === lastLine) continue
        isMapped = place !== undefined
        if (place === undefined) segments.push(encode([at - lastAt]))
        else {
          segments.push(encode([at - lastAt, place - lastSource, line - lastLine, column - lastColumn]))
          ;[lastSource, lastLine, lastColumn] = [place, line, column]
        }
        lastAt = at
      }
      return segments.join(',')
    })
    .join(';')
}

/** The numbers of a segment: Base64 digits of five bits, the lowest first, with the sign in the lowest bit. @param {string} segment */
function decode(segment) {
  /** @type {number[]} */
  const numbers = []
  let [value, shift] = [0, 0]
  for (const digit of segment) {
    const bits = digits.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits >= 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    ;[value, shift] = [0, 0]
  }
  return numbers
}

/** @param {readonly number[]} numbers */
function encode(numbers) {
  let text = ''
  for (const number of numbers) {
    let value = number < 0 ? (-number << 1) | 1 : number << 1
    do {
      const more = value >> 5
      text += digits[(value & 31) | (more > 0 ? 32 : 0)]
      value = more
    } while (value > 0)
  }
  return text
}
