// Writes api.md: every method with its endpoint, and every type, on one page. With --check it writes
// nothing, and fails when the page is not what the sources say.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readEntries } from './api-page-read.mjs'
import { pageOf } from './api-page-write.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const file = `${root}api.md`

const page = pageOf(
  readEntries(root, [
    { name: 'merchant-gateway', file: 'src/index.ts' },
    { name: 'merchant-gateway/callbacks', file: 'src/callbacks/index.ts' },
    { name: 'merchant-gateway/sandbox', file: 'src/sandbox/index.ts' },
    { name: 'merchant-gateway/opentelemetry', file: 'src/opentelemetry/index.ts' },
  ]),
)

if (!process.argv.includes('--check')) writeFileSync(file, page)
else if (readFileSync(file, 'utf8') !== page) {
  console.error('api.md is not what the sources say; run `npm run api` and commit the page.')
  process.exitCode = 1
}
