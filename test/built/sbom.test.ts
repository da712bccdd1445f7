import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { tableAfter } from '../readme/markdown.js'
import { root } from '../support/root.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const component = z.object({
  name: z.string(),
  version: z.string(),
  purl: z.string(),
  hashes: z.tuple([z.object({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) })]),
})
const sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.strictObject({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(component),
})
const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({ version: z.string().optional(), integrity: z.string().optional() }),
    ),
  })
  .parse(JSON.parse(read('package-lock.json'))).packages

describe.each(['', 'sandbox/'])('the bill of materials in %sdist', (folder) => {
  const { components, metadata } = sbom.parse(JSON.parse(read(`${folder}dist/sbom.cdx.json`)))

  test('names the libraries of THIRD-PARTY-NOTICES.md, and no other', () => {
    const noticed = tableAfter(read(`${folder}THIRD-PARTY-NOTICES.md`), '| package |')
    expect(components.map(({ name, version }) => [name, version])).toEqual(
      noticed.map(([name, version]) => [name, version]),
    )
  })

  test('has the version and the digest of each from the lock', () => {
    for (const { name, version, purl, hashes } of components) {
      const { version: wanted, integrity = '' } = lock[`node_modules/${name}`] ?? {}
      expect(version).toBe(wanted)
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(`sha512-${Buffer.from(hashes[0].content, 'hex').toString('base64')}`).toBe(integrity)
    }
  })

  test('names the package itself, and no time, so that a build can be repeated to the byte', () => {
    const { name, version } = z
      .object({ name: z.string(), version: z.string() })
      .parse(JSON.parse(read(`${folder}package.json`)))
    expect(metadata.component).toMatchObject({ name, version })
  })
})
