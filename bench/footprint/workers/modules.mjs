// Which files one import makes the engine parse, which sources were bundled into them, and which modules of
// Node came along. The debugger sees all files, ESM and CJS alike. node modules.mjs PACKAGE esm|cjs [DIST]
// DIST is the folder as it was built, where the bundler says what is in each file.
import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { builtinModules, createRequire } from 'node:module'

const [name = '', format = '', dist] = process.argv.slice(2)
/** @type {string[]} */
const urls = []
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
session.post('Debugger.enable')
// What was there before is loaded first.
urls.length = 0
const before = new Set(process.moduleLoadList)
if (format === 'cjs') createRequire(import.meta.url)(name)
else await import(name)
session.disconnect()

/** What the bundler says it put into a file. @param {string} url @returns {string[]} */
function sources(url) {
  if (dist === undefined) return []
  const name = url.replace(/.*\/dist\//, '')
  const metafile = `${dist}/metafile-${format}.json`
  return Object.keys(JSON.parse(readFileSync(metafile, 'utf8')).outputs[`dist/${name}`]?.inputs ?? {})
}

const files = urls.filter((url) => url.startsWith('file:'))
const builtins = process.moduleLoadList
  .filter((line) => !before.has(line))
  .map((line) => line.replace('NativeModule ', ''))
  .filter((id) => builtinModules.includes(id) && !id.startsWith('_'))
writeSync(1, JSON.stringify({ files, bundled: files.flatMap(sources), builtins }))
