// @ts-check
// What the main entry weighs in somebody's bundle: dist/index.js with what is bundled into it, minified and gzipped,
// without undici, which is installed beside it. `npm run reports` writes the figure; with --check it fails when the entry
// has grown by more than 5 %, or is over 56 KB.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const mostBytes = 56 * 1024
const record = new URL('size-limits.json', import.meta.url)

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../dist/index.js', import.meta.url))],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['undici'],
  legalComments: 'none',
  write: false,
})
const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
const kept = JSON.parse(readFileSync(record, 'utf8')).mainEntryMinGzBytes
console.log(`main entry, minified and gzipped: ${size} B (on record ${kept} B, limit ${mostBytes} B)`)
if (!process.argv.includes('--check')) {
  writeFileSync(record, `${JSON.stringify({ mainEntryMinGzBytes: size }, null, 2)}\n`)
} else if (size > mostBytes || size > kept * 1.05) {
  console.error(
    'The main entry is too big. Make it smaller, or, below the limit, accept it with "npm run reports".',
  )
  process.exitCode = 1
}
