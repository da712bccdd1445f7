// @ts-check
// Writes dist/sbom.cdx.json, what of other packages is inside dist, as CycloneDX: a scanner sees no package.json of
// what is bundled. Neither a time nor a random number is in it, so that a build can be repeated to the byte.
import { readFileSync, writeFileSync } from 'node:fs'
import { bundled } from './bundled.mjs'

const root = new URL('../', import.meta.url)
/** @param {string} path */
const json = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
/** @type {Record<string, { version?: string, integrity?: string }>} */
const locked = json('package-lock.json').packages

const folder = process.argv[2] === 'sandbox' ? 'sandbox/' : ''

/** @param {string} name @param {string} version */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** @param {string} name */
function component(name) {
  const { version, license, description } = json(`node_modules/${name}/package.json`)
  const { version: wanted, integrity = '' } = locked[`node_modules/${name}`] ?? {}
  if (version !== wanted || !integrity.startsWith('sha512-')) {
    throw new Error(`${name} ${version} is bundled, and package-lock.json says ${wanted}: run "npm ci".`)
  }
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    name,
    version,
    description,
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content }],
    licenses: [{ license: { id: license } }],
    purl: purlOf(name, version),
  }
}

const { name, version, license, description } = json(`${folder}package.json`)
const self = purlOf(name, version)
const components = bundled(folder).map(([one]) => component(one))
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'library',
      'bom-ref': self,
      name,
      version,
      description,
      licenses: [{ license: { id: license } }],
      purl: self,
    },
  },
  components,
  dependencies: [
    { ref: self, dependsOn: components.map(({ purl }) => purl) },
    ...components.map(({ purl }) => ({ ref: purl })),
  ],
}
writeFileSync(new URL(`${folder}dist/sbom.cdx.json`, root), `${JSON.stringify(sbom, null, 2)}\n`)
