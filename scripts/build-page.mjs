// @ts-check
// Bundles the sandbox's page into packages/sandbox/dist/page, where the built sandbox looks for it. What the page
// is made of (preact) ends up inside, so that whoever installs the package installs nothing more.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const from = fileURLToPath(new URL('../packages/sandbox/src/page/ui/', import.meta.url))
const to = fileURLToPath(new URL('../packages/sandbox/dist/page/', import.meta.url))

/** @type {import('esbuild').BuildOptions} */
const shared = {
  outdir: to,
  entryNames: '[name]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'inline',
  logLevel: 'warning',
  tsconfig: `${from}tsconfig.json`,
}

export async function buildPage() {
  await mkdir(to, { recursive: true })
  const { metafile } = await build({ ...shared, metafile: true, entryPoints: { page: `${from}main.tsx` } })
  // What is bundled into it, for the notices and the SBOM.
  await writeFile(
    new URL('../packages/sandbox/dist/metafile-page.json', import.meta.url),
    JSON.stringify(metafile),
  )
  await build({ ...shared, entryPoints: { style: `${from}styles/page.css` } })
  await copyFile(`${from}index.html`, `${to}index.html`)

  // MIT wants its notice to travel with the code.
  const notices = await Promise.all(
    ['preact', '@preact/signals', '@preact/signals-core'].map(async (name) => {
      const licence = await readFile(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), 'utf8')
      return `${name}\n\n${licence.trim()}\n`
    }),
  )
  await writeFile(`${to}NOTICES.txt`, notices.join('\n---\n\n'))
}
