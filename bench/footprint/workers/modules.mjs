// Which files one import makes the engine parse, which sources were bundled into them, and which modules of
// Node came along. The debugger sees all files, ESM and CJS alike. node modules.mjs PACKAGE esm|cjs [MAPS]
// MAPS is the folder with the source maps as they were built: those that are packed leave out what is bundled.
import { existsSync, readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { builtinModules, createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [name = '', format = '', maps] = process.argv.slice(2)
/** @type {string[]} */
const urls = []
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
session.post('Debugger.enable')
// What was there before is told first.
urls.length = 0
const before = new Set(process.moduleLoadList)
if (format === 'cjs') createRequire(import.meta.url)(name)
else await import(name)
session.disconnect()

/** @param {string} url @returns {string[]} */
function sources(url) {
  const built =
    maps === undefined
      ? url.replace('/dist/', '/dist/maps/')
      : url.replace(/.*\/dist\//, `${pathToFileURL(maps)}/`)
  const map = new URL(`${existsSync(new URL(`${built}.map`)) ? built : url}.map`)
  return existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : []
}

const files = urls.filter((url) => url.startsWith('file:'))
const builtins = process.moduleLoadList
  .filter((line) => !before.has(line))
  .map((line) => line.replace('NativeModule ', ''))
  .filter((id) => builtinModules.includes(id) && !id.startsWith('_'))
writeSync(1, JSON.stringify({ files, bundled: files.flatMap(sources), builtins }))
