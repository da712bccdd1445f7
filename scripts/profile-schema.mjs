// Writes dist/gateway-profile.schema.json, the JSON schema of profiles.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const from = fileURLToPath(new URL('../src/profile/json-schema.ts', import.meta.url))
const to = new URL('../dist/', import.meta.url)

const { outputFiles } = await build({ entryPoints: [from], bundle: true, format: 'esm', write: false })
const code = Buffer.from(outputFiles[0].contents).toString('base64')
const { profileJsonSchema } = await import(`data:text/javascript;base64,${code}`)
await mkdir(to, { recursive: true })
await writeFile(new URL('gateway-profile.schema.json', to), `${JSON.stringify(profileJsonSchema, null, 2)}\n`)
