// @ts-check
// Draws the picture of the README, docs/images/paid-once.svg: node scripts/docs/paid-once.mjs
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sequenceSvg } from './sequence-svg.mjs'

const source = `sequenceDiagram
  participant S as your backend
  participant C as merchant-gateway
  participant G as the gateway
  S->>C: create payout w-1
  C->>G: POST w-1
  Note over G: payout w-1 exists
  G--xC: 200
  C->>G: POST w-1
  G-->>C: 409
  C->>G: GET w-1
  G-->>C: the payout
  C-->>S: replayed: true
  Note over S: paid once`

// The picture stands alone: it takes no style of a page.
const style =
  'text{font:14px system-ui,sans-serif;fill:#1e293b;text-anchor:middle}line,rect,.lost{fill:none;stroke:#475569;stroke-width:1.25}.life,.answer{stroke-dasharray:4 4}.life{opacity:.6}.who{fill:#e2e8f0}.note{fill:#fef9c3}.lost{stroke:#b91c1c;stroke-width:2.5}.tip{fill:#475569}'

/** The picture as it is kept. */
export function paidOnce() {
  const drawn = sequenceSvg(source).replace(/^<div[^>]*>|<\/div>$/g, '')
  const [, left = '', width = '', height = ''] = /viewBox="(\S+) 0 (\S+) (\S+)"/.exec(drawn) ?? []
  const paper = `<rect x="${left}" width="${width}" height="${height}" style="fill:#fff;stroke:none"/>`
  return `${drawn.replace(/^<svg ([^>]*)>/, `<svg xmlns="http://www.w3.org/2000/svg" $1><style>${style}</style>${paper}`)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../../docs/images/paid-once.svg', import.meta.url), paidOnce())
}
