// @ts-check
// Draws the sequence diagrams of the guides as SVG. GitHub draws them itself, from the same text; the site loads
// nothing, and the library that could draw them there is larger than all of it.

const row = 38
const head = 34
const perLetter = 7.7
const gap = 210
const margin = 14

/**
 * @typedef {{ from: string, to: string, text: string, isDashed: boolean, isLost: boolean }} Message
 * @typedef {{ over: string, text: string }} Note
 */

/**
 * @param {string} source a `sequenceDiagram` of participants, messages and notes over one participant
 * @throws when it holds anything else: a diagram without a line would say something untrue
 */
export function sequenceSvg(source) {
  const { names, steps } = read(source)
  const ids = [...names.keys()]
  const boxes = ids.map((id, index) => box(names.get(id) ?? id, index * gap))
  const notes = steps.flatMap((step) => ('over' in step ? [box(step.text, place(step.over))] : []))
  const left = Math.min(...[...boxes, ...notes].map(({ x }) => x)) - margin
  const right = Math.max(...[...boxes, ...notes].map(({ x, width }) => x + width)) + margin
  const height = head + (steps.length + 1) * row + margin

  /** @param {string} id */
  function place(id) {
    const index = ids.indexOf(id)
    if (index < 0) throw new Error(`${id} takes no part in this diagram`)
    return index * gap
  }

  const drawn = [
    ...ids.map((_, index) => line(index * gap, head, index * gap, height - margin, 'life')),
    ...boxes.map((one) => boxed(one, 1, head - 1, 'who')),
    ...steps.flatMap((step, index) => {
      const y = head + (index + 1) * row
      if ('over' in step) return boxed(box(step.text, place(step.over)), y - 21, 28, 'note')
      return message(step, place(step.from), place(step.to), y)
    }),
  ]
  const size = `viewBox="${left} 0 ${right - left} ${height}" width="${right - left}" height="${height}"`
  const label = escaped(spoken(names, steps))
  return `<div class="sequence"><svg ${size} role="img" aria-label="${label}">${drawn.join('')}</svg></div>`
}

/** @param {string} source */
function read(source) {
  const [first, ...lines] = source
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (first !== 'sequenceDiagram') throw new Error('only sequence diagrams are drawn')
  /** @type {Map<string, string>} */
  const names = new Map()
  /** @type {(Message | Note)[]} */
  const steps = []
  for (const text of lines) {
    const [, id, name] = /^participant (\w+) as (.+)$/.exec(text) ?? []
    const [, over, note] = /^Note over (\w+): (.+)$/.exec(text) ?? []
    const [, from, arrow, to, said] = /^(\w+?)(-->>|->>|--x|-x)(\w+): (.+)$/.exec(text) ?? []
    if (id !== undefined && name !== undefined) names.set(id, name)
    else if (over !== undefined && note !== undefined) steps.push({ over, text: note })
    else if (from !== undefined && to !== undefined && arrow !== undefined && said !== undefined) {
      steps.push({ from, to, text: said, isDashed: arrow.startsWith('--'), isLost: arrow.endsWith('x') })
    } else throw new Error(`a line that can't be drawn: ${text}`)
  }
  return { names, steps }
}

/** @param {string} text @param {number} middle */
function box(text, middle) {
  const width = Math.round(text.length * perLetter) + 24
  return { text, x: middle - width / 2, width }
}

/** @param {ReturnType<typeof box>} box @param {number} y @param {number} height @param {string} kind */
function boxed({ text, x, width }, y, height, kind) {
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>`,
    `<text x="${x + width / 2}" y="${y + height / 2 + 5}">${escaped(text)}</text>`,
  ]
}

/** A lost message ends half-way. @param {Message} message @param {number} from @param {number} to @param {number} y */
function message({ text, isDashed, isLost }, from, to, y) {
  const step = Math.sign(to - from)
  const end = isLost ? (from + to) / 2 : to - step * 2
  return [
    line(from, y, end, y, isDashed ? 'answer' : 'ask'),
    isLost
      ? `<path class="lost" d="M${end - 6} ${y - 6}l12 12m0 -12l-12 12"/>`
      : `<path class="tip" d="M${end} ${y}l${-step * 9} -5v10z"/>`,
    `<text x="${(from + end) / 2}" y="${y - 8}">${escaped(text)}</text>`,
  ]
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} kind */
function line(x1, y1, x2, y2, kind) {
  return `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
}

/** What somebody hears who doesn't see it. @param {Map<string, string>} names @param {(Message | Note)[]} steps */
function spoken(names, steps) {
  return steps
    .map((step) => {
      if ('over' in step) return `${names.get(step.over)}: ${step.text}.`
      const { from, to, text, isLost } = step
      return `${names.get(from)} to ${names.get(to)}: ${text}${isLost ? ', which is lost' : ''}.`
    })
    .join(' ')
}

/** @param {string} text */
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
