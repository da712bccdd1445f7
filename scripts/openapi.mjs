// Writes packages/sandbox/dist/openapi.json, the OpenAPI document of the gateway as a sandbox without options answers.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const from = fileURLToPath(new URL('../packages/sandbox/src/openapi/document.ts', import.meta.url))
const to = new URL('../packages/sandbox/dist/', import.meta.url)

const { outputFiles } = await build({ entryPoints: [from], bundle: true, format: 'esm', write: false })
const code = Buffer.from(outputFiles[0].contents).toString('base64')
const { defaultDocumentOptions, openApiDocument } = await import(`data:text/javascript;base64,${code}`)
await mkdir(to, { recursive: true })
// Without whitespace: tools read it, and a sandbox shows it to people.
await writeFile(new URL('openapi.json', to), `${JSON.stringify(openApiDocument(defaultDocumentOptions))}\n`)
