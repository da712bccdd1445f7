// Writes dist/command-output.schema.json of both packages: what the commands print with --json, as JSON Schema with
// a definition for each command. Fields may be added, so none is closed.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const [folder = '.'] = process.argv.slice(2)
const root = fileURLToPath(new URL('../', import.meta.url))
const { outputFiles } = await build({
  stdin: {
    contents: `export { outputs } from './${folder}/src/cli/command-output.ts'
      export { failure } from './src/cli/command-output.ts'
      export { toJSONSchema } from 'zod'`,
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  write: false,
})
const code = Buffer.from(outputFiles[0].contents).toString('base64')
const { outputs, failure, toJSONSchema } = await import(`data:text/javascript;base64,${code}`)

const name = folder === '.' ? 'merchant-gateway' : 'merchant-gateway-sandbox'
const schemas = Object.entries({ ...outputs, error: failure }).map(([command, schema]) => {
  const { $schema: _, ...rest } = toJSONSchema(schema, { io: 'input' })
  return [`${name} ${command}`.trim(), rest]
})
const whole = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `What the commands of ${name} print with --json, each line by its command; "${name} error" where one fails.`,
  $defs: Object.fromEntries(schemas),
}
await writeFile(`${root}${folder}/dist/command-output.schema.json`, `${JSON.stringify(whole)}\n`)
