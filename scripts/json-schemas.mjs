// Writes the JSON schemas that editors read profiles by into dist.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const to = new URL('../dist/', import.meta.url)
await mkdir(to, { recursive: true })
for (const [from, name, file] of [['profile', 'profileJsonSchema', 'gateway-profile']]) {
  const source = fileURLToPath(new URL(`../src/${from}/json-schema.ts`, import.meta.url))
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, format: 'esm', write: false })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  const { [name]: schema } = await import(`data:text/javascript;base64,${code}`)
  await writeFile(new URL(`${file}.schema.json`, to), `${JSON.stringify(schema, null, 2)}\n`)
}
