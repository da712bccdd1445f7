// @ts-check
// dist/sbom.cdx.json: every library that runs with a package, inside dist or installed beside it, as CycloneDX. A
// scanner sees no package.json of what is bundled. Neither a time nor a random number is in it, so that a build can be
// repeated to the byte.
import { writeFileSync } from 'node:fs'
import { bundled, json } from './packages.mjs'

/** @type {Record<string, { version?: string, integrity?: string }>} */
const locked = json('package-lock.json').packages

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

/** @param {URL} folder of the package */
export function writeSbom(folder) {
  const { name, version, license, description, dependencies = {} } = json('package.json', folder)
  const self = purlOf(name, version)
  const libraries = new Set([...bundled(folder).map(({ name }) => name), ...Object.keys(dependencies)])
  const components = [...libraries].sort().map(component)
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
  writeFileSync(new URL('dist/sbom.cdx.json', folder), `${JSON.stringify(sbom, null, 2)}\n`)
}
