// @ts-check
// Packs the built packages as they are published: node scripts/pack.mjs FOLDER. What only this repository needs
// (scripts, workspaces, devDependencies) is left out of each manifest, so that nobody who installs the package reads it.
// Packed again from the same commit, on any machine with the same Node, it makes the same bytes.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { folders, json } from './packages.mjs'

/** @param {string} cwd @param {string[]} args */
const npm = (cwd, ...args) =>
  JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
    }),
  )[0]

/** The manifest that is published. @param {URL} folder */
export function publishedManifest(folder) {
  const {
    scripts: _,
    workspaces: __,
    devDependencies: ___,
    overrides: ____,
    ...published
  } = json('package.json', folder)
  return published
}

/**
 * Packs one package into a place.
 *
 * @param {URL} folder of the package
 * @param {string} place
 * @returns {string} the path of the tarball
 */
export function pack(folder, place) {
  if (!existsSync(new URL('dist/index.js', folder)))
    throw new Error('There is no dist: run "npm run build" first.')
  const staged = mkdtempSync(join(tmpdir(), 'merchant-gateway-pack-'))
  try {
    const from = fileURLToPath(folder)
    for (const { path } of npm(from, '--dry-run').files) {
      mkdirSync(dirname(join(staged, path)), { recursive: true })
      cpSync(join(from, path), join(staged, path), { preserveTimestamps: true })
    }
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(publishedManifest(folder), null, 2)}\n`)
    mkdirSync(place, { recursive: true })
    return join(place, npm(staged, '--pack-destination', place).filename)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

const [, file = '', place] = process.argv
if (import.meta.url === pathToFileURL(file).href) {
  if (place === undefined) throw new Error('Say where to: node scripts/pack.mjs FOLDER')
  for (const folder of folders) console.log(pack(folder, resolve(place)))
}
