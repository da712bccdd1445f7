// @ts-check
// Bars that lie, as SVG.

/** @typedef {{ label: string, value: number, text: string }} Bar */
/** @typedef {{ title?: string, rows: readonly Bar[], mark?: number }} Panel a mark is a line at so much */

const width = 960
const labelWidth = 440
const barWidth = 280
const rowHeight = 24

const escaped = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Shorter where it wouldn't fit; the whole of it is in the title. @param {string} label */
function labelled(label) {
  const short = label.length > 66 ? `${label.slice(0, 65)}…` : label
  return `<title>${escaped(label)}</title>${escaped(short)}`
}

/** @param {string} title @param {readonly Panel[]} panels */
export function bars(title, panels) {
  /** @type {string[]} */
  const parts = [`<text x="16" y="30" font-size="17" font-weight="600">${escaped(title)}</text>`]
  let y = 48
  for (const panel of panels) {
    const most = Math.max(panel.mark ?? 0, ...panel.rows.map(({ value }) => value))
    const scale = barWidth / most
    if (panel.title !== undefined) {
      y += 18
      parts.push(`<text x="16" y="${y}" font-weight="600">${escaped(panel.title)}</text>`)
      y += 10
    }
    const top = y
    for (const { label, value, text } of panel.rows) {
      const length = Math.max(1, value * scale).toFixed(1)
      const isBeyond = panel.mark !== undefined && value > panel.mark
      parts.push(
        `<text x="${labelWidth - 8}" y="${y + 16}" text-anchor="end">${labelled(label)}</text>`,
        `<rect x="${labelWidth}" y="${y + 4}" width="${length}" height="16" rx="2" fill="${isBeyond ? '#c2410c' : '#2563eb'}"/>`,
        `<text x="${(labelWidth + Math.max(Number(length), (panel.mark ?? 0) * scale) + 8).toFixed(1)}" y="${y + 16}">${escaped(text)}</text>`,
      )
      y += rowHeight
    }
    if (panel.mark !== undefined) {
      const x = (labelWidth + panel.mark * scale).toFixed(1)
      parts.push(`<path d="M${x} ${top}V${y}" stroke="#334155" stroke-dasharray="4 3"/>`)
    }
  }
  const height = y + 16
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#1e293b">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}
