// @ts-check
// Which files one import makes the engine parse, and which sources were bundled into them. The debugger
// sees them all, ESM and CJS alike. node bench/workers/loaded-files.mjs PACKAGE esm|cjs
import { existsSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { createRequire } from 'node:module'

const [name = '', format = ''] = process.argv.slice(2)
/** @type {string[]} */
const urls = []
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
session.post('Debugger.enable')
// What was there before is told first.
urls.length = 0
if (format === 'cjs') createRequire(import.meta.url)(name)
else await import(name)
session.disconnect()

/** What the bundler says it put into a file of dist. @param {string} url @returns {string[]} */
function sources(url) {
  const [, dist = '', name = ''] = /^(.*\/dist\/)(.*)$/.exec(url) ?? []
  if (dist === '') return []
  const metafile = new URL(`${dist}metafile-${name.endsWith('.cjs') ? 'cjs' : 'esm'}.json`)
  if (!existsSync(metafile)) return []
  return Object.keys(JSON.parse(readFileSync(metafile, 'utf8')).outputs[`dist/${name}`]?.inputs ?? {})
}

process.once('disconnect', () => process.exit())
const files = urls.filter((url) => url.startsWith('file:'))
process.send?.({ files: [...files, ...files.flatMap(sources)] })
