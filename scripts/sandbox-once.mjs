// @ts-check
// The sandbox stands in the package once: its ESM entry passes on what its CommonJS entry exports. It is the largest
// part of what is installed, it needs no other entry, and nobody loads it in production.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const folder = new URL('../packages/sandbox/dist/', import.meta.url)
const names = Object.keys(createRequire(import.meta.url)('../packages/sandbox/dist/index.cjs')).sort()
const whole = readFileSync(new URL('index.js', folder), 'utf8')
const missing = names.filter((name) => !whole.includes(name))
if (names.length === 0 || missing.length > 0) {
  throw new Error(`The two entries of the sandbox differ: ${missing.join(', ') || 'one exports nothing'}.`)
}
writeFileSync(new URL('index.js', folder), `export { ${names.join(', ')} } from './index.cjs'\n`)
