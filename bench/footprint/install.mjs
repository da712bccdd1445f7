// @ts-check
import { execFile } from 'node:child_process'
import { copyFile, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const workers = fileURLToPath(new URL('workers/', import.meta.url))

/**
 * One package, alone in a project of its own.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} version
 * @property {string} folder
 * @property {number} packages how many npm has installed
 * @property {number} bytes of all their files
 */

const installLimitMs = 120_000

/**
 * Packs this package and installs it and the others, each into a folder of its own. Another one that can't be
 * installed within two minutes is left out, and that is said: the rest can be measured without it.
 *
 * @param {string} temporary
 */
export async function installAll(temporary) {
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', temporary], root)
  const [{ name, filename }] = JSON.parse(stdout)
  const pinned = JSON.parse(
    await readFile(new URL('contenders/package.json', import.meta.url), 'utf8'),
  ).dependencies
  /** @type {Record<string, string>} */
  const wanted = { [name]: `file:${join(temporary, filename)}`, ...pinned }
  const contenders = []
  for (const [each, spec] of Object.entries(wanted)) {
    try {
      contenders.push(await install(temporary, each, spec))
    } catch (error) {
      if (each === name) throw error
      process.stderr.write(`${each} is left out: it could not be installed within two minutes\n`)
    }
  }
  return contenders
}

/**
 * @param {string} temporary
 * @param {string} name
 * @param {string} spec
 * @returns {Promise<Contender>}
 */
async function install(temporary, name, spec) {
  const folder = join(temporary, name.replace(/\W+/g, '-'))
  await mkdir(folder)
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [name]: spec } }),
  )
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  for (const worker of await readdir(workers)) await copyFile(join(workers, worker), join(folder, worker))
  const modules = join(folder, 'node_modules')
  const installed = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')).packages
  const { version } = installed[`node_modules/${name}`]
  return { name, version, folder, packages: Object.keys(installed).length, bytes: await bytesIn(modules) }
}

/** The sizes of all files, without what npm notes for itself. @param {string} folder */
async function bytesIn(folder) {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name !== '.package-lock.json') {
      bytes += (await lstat(join(entry.parentPath, entry.name))).size
    }
  }
  return bytes
}

/** @param {string[]} args @param {string} cwd */
function npm(args, cwd) {
  return run('npm', args, {
    cwd,
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
    timeout: installLimitMs,
  })
}
