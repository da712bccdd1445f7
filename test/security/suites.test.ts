import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import config from '../../vitest.config.js'
import { root } from '../examples/support.js'

const projects = z
  .array(
    z.object({
      test: z.object({
        name: z.string(),
        include: z.array(z.string()),
        exclude: z.array(z.string()).default([]),
      }),
    }),
  )
  .parse(config.test?.projects)
  .map((project) => project.test)
const [unit, clock, ...others] = projects
const folders = readdirSync(join(root, 'test')).filter((name) =>
  existsSync(join(root, 'test', name, 'vitest.config.ts')),
)
const scripts: Readonly<Record<string, string>> = manifest.scripts
const ci = readFileSync(join(root, '.ci/run'), 'utf8')
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

test('the first suite is all that no other suite takes', () => {
  expect(unit?.name).toBe('unit')
  expect(unit?.include).toEqual(['test/**/*.test.ts'])
  const [modules, ...elsewhere] = unit?.exclude ?? []
  expect(modules).toBe('**/node_modules/**')
  expect(elsewhere).toEqual([clock, ...others].flatMap((suite) => suite?.include))
  expect(scripts.test).toBe('vitest run --project unit --project clock')
})

test('a newcomer’s two commands install and test, and installing runs nothing of this package', () => {
  expect(ci).toMatch(/^npm ci && npm test /m)
  const ofInstallation = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare']
  expect(ofInstallation.filter((name) => name in scripts)).toEqual([])
  // What is packed is built, whoever packs it.
  expect(scripts.prepack).toBe('npm run build')
})

describe.each(others.map(({ name }) => name))('the suite %s', (name) => {
  test('has a command that builds first, stands in CONTRIBUTING.md, and is run by .ci/run', () => {
    expect(scripts[`test:${name}`]).toBe(`vitest run --project ${name}`)
    expect(scripts[`pretest:${name}`]).toBe('npm run build')
    expect(contributing).toContain(`npm run test:${name}`)
    expect(ci).toContain(`--project ${name}`)
    expect(ci.indexOf('npm run build')).toBeLessThan(ci.indexOf(`--project ${name}`))
  })
})

describe.each(folders)('the suite with a configuration in test/%s', (name) => {
  test('has a command, stands in CONTRIBUTING.md, and is run by .ci/run', () => {
    const file = `--config test/${name}/vitest.config.ts`
    expect(scripts[`test:${name}`]).toBe(`vitest run ${file}`)
    expect(contributing).toContain(`npm run test:${name}`)
    expect([`npm run test:${name}`, file].some((command) => ci.includes(command))).toBe(true)
  })
})
