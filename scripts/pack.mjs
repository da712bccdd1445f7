// @ts-check
// Packs the built packages as they are published: node scripts/pack.mjs FOLDER. What only this repository needs
// (scripts, workspaces, devDependencies) is left out of each manifest, so that nobody who installs the package reads it;
// the guides about a package go with it.
// Packed again from the same commit, on any machine with the same Node, it makes the same bytes.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { folders, json } from './packages.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * The guides that go with a package. They stand with all others in docs/ of the repository, of which the root package
 * has all.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const guides = {
  'merchant-gateway-sandbox': [
    'first-rehearsal.md',
    'page.md',
    'rehearsing.md',
    'faults.md',
    'sandbox-api.md',
    'sandbox-command.md',
    'sandbox.md',
    'testing-with-jest.md',
    'testing-with-vitest.md',
  ],
  'merchant-gateway-cli': ['command-line.md', 'doctor.md', 'payouts.md', 'reconciling-balances.md'],
}

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
 * Puts the guides of a package into it. Its README and they then link to what the package has, and to the repository for
 * all else.
 *
 * @param {string} from the package
 * @param {string} staged
 * @param {ReadonlySet<string>} packed what is in it without them
 * @param {{ name: string, version: string, repository: { url: string } }} manifest
 */
function addGuides(from, staged, packed, { name, version, repository }) {
  const home = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`
  const places = new Map([[join(from, 'README.md'), 'README.md']])
  for (const guide of guides[name] ?? []) places.set(join(root, 'docs', guide), `docs/${guide}`)
  /** Where a file of the repository is in the package; undefined where it isn't. @param {string} file */
  const placeOf = (file) => {
    const own = relative(from, file)
    if (packed.has(own)) return own
    if (file.startsWith(join(root, 'docs/images') + sep)) {
      const picture = relative(root, file)
      cpSync(file, join(staged, picture), { preserveTimestamps: true })
      return picture
    }
    return places.get(file)
  }
  for (const [source, to] of places) {
    const text = readFileSync(source, 'utf8').replace(/(?<=\]\()(?!https?:|#)[^)\s#]+/g, (link) => {
      const target = resolve(dirname(source), link)
      const place = placeOf(target)
      return place === undefined ? `${home}/${relative(root, target)}` : relative(dirname(to), place)
    })
    mkdirSync(dirname(join(staged, to)), { recursive: true })
    writeFileSync(join(staged, to), to === 'README.md' ? withPictures(text, name, version) : text)
  }
}

/**
 * npm shows no picture of a package by its path, so the page there takes it from the published package.
 *
 * @param {string} readme
 * @param {string} name
 * @param {string} version
 */
function withPictures(readme, name, version) {
  return readme.replace(/(?<=!\[[^\]]*\]\()(?=docs\/)/g, `https://unpkg.com/${name}@${version}/`)
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
    /** @type {readonly { path: string }[]} */
    const files = npm(from, '--dry-run').files
    for (const { path } of files) {
      mkdirSync(dirname(join(staged, path)), { recursive: true })
      cpSync(join(from, path), join(staged, path), { preserveTimestamps: true })
    }
    const manifest = publishedManifest(folder)
    addGuides(from, staged, new Set(files.map(({ path }) => path)), manifest)
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
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
