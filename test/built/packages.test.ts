import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { linksIn } from '../package/setup/links.js'
import { root } from '../support/root.js'

// Each package as it is published: packed, unpacked, and looked at.

const require = createRequire(import.meta.url)
const exported = z.union([
  z.string(),
  z.object({
    import: z.object({ types: z.string(), default: z.string() }),
    require: z.object({ types: z.string(), default: z.string() }),
  }),
])
const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), exported),
  bin: z.record(z.string(), z.string()).optional(),
  repository: z.object({ url: z.string(), directory: z.string().optional() }),
  homepage: z.string(),
  bugs: z.object({ url: z.string() }),
})
const sbom = z.object({ components: z.array(z.object({ name: z.string(), version: z.string() })) })
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

const work = mkdtempSync(join(tmpdir(), 'merchant-gateway-packed-'))
const packed = execFileSync(process.execPath, ['scripts/pack.mjs', work], { cwd: root, encoding: 'utf8' })
const [client = '', sandbox = '', cli = '', signer = ''] = packed.trim().split('\n')
afterAll(() => rmSync(work, { recursive: true }))

describe.each([
  ['merchant-gateway', client],
  ['merchant-gateway-sandbox', sandbox],
  ['merchant-gateway-cli', cli],
  ['merchant-gateway-signer', signer],
])('the package %s', (name, tarball) => {
  let place: string
  let files: string[]
  const read = (file: string) => readFileSync(join(place, file), 'utf8')
  const published = () => manifest.parse(json(join(place, 'package.json')))

  beforeAll(() => {
    place = join(work, name)
    mkdirSync(place)
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', place])
    files = readdirSync(place, { recursive: true, encoding: 'utf8' })
  })

  test('is named, has its licence and its page, and the manifest holds nothing that only this repository needs', () => {
    const { scripts, workspaces, devDependencies, overrides } = published()
    expect(published().name).toBe(name)
    expect({ scripts, workspaces, devDependencies, overrides }).toEqual({})
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md']))
    expect(published().repository.url).toMatch(/^git\+https:/)
  })

  test('has one version with the other three', () => {
    expect(published().version).toBe(manifest.parse(json(join(root, 'package.json'))).version)
  })

  test('holds no source, no source map, and no link that leads nowhere', async () => {
    expect(
      files.filter((file) => /\.map$|metafile|(?<!\.d\.c?)\.[cm]?tsx?$(?<!\.d\.c?ts)/.test(file)),
    ).toEqual([])
    expect((await linksIn(place)).dead).toEqual([])
  })

  test('has each picture of its page, by an address that npm shows', () => {
    const pictures = [...read('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, address]) => address)
    const home = `https://unpkg.com/${name}@${published().version}/`
    for (const address of pictures) {
      expect(address?.startsWith(home)).toBe(true)
      expect(files).toContain(address?.slice(home.length))
    }
  })

  test('has each file that it exports, and each command can be run', () => {
    const { exports, bin = {} } = published()
    for (const entry of Object.values(exports)) {
      const paths =
        typeof entry === 'string' ? [entry] : Object.values(entry).flatMap((kind) => Object.values(kind))
      for (const path of paths) expect(existsSync(join(place, path)), path).toBe(true)
    }
    for (const path of Object.values(bin)) expect(read(path).startsWith('#!/usr/bin/env node\n')).toBe(true)
  })

  test('has the same names for import and for require (PEER 32), and declares nothing of bundled libraries', async () => {
    for (const [path, entry] of Object.entries(published().exports)) {
      if (typeof entry === 'string') continue
      const specifier = name + path.slice(1)
      const imported: object = await import(specifier)
      expect(Object.keys(require(specifier)).sort(), specifier).toEqual(Object.keys(imported).sort())
      expect(read(entry.require.types)).not.toMatch(
        /from ['"](?:zod|jose|p-retry|p-throttle|bullmq|ioredis|pg|commander|preact)/,
      )
    }
  })

  test('lists in its SBOM each library that runs with it, bundled or installed', () => {
    const { components } = sbom.parse(json(join(place, 'dist/sbom.cdx.json')))
    const noticed = [...read('THIRD-PARTY-NOTICES.md').matchAll(/^## (\S+) (\S+)$/gm)].map(([, one]) => one)
    const installed = Object.keys(z.record(z.string(), z.string()).parse(published().dependencies ?? {}))
    expect(components.map((one) => one.name)).toEqual([...noticed, ...installed].sort())
  })
})

test('the runtimes and compilers of npm run test:package have exact versions, from any registry', () => {
  const versions = z.object({
    dependencies: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  const tools = versions.parse(json(join(root, 'test/package/package.json')))
  for (const wanted of Object.values({ ...tools.dependencies, ...tools.optionalDependencies })) {
    expect(wanted).toMatch(/^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+$/)
  }
})
