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

test('the slow projects have one command, and .ci/run builds before it', () => {
  const named = others.map(({ name }) => `--project ${name}`).join(' ')
  expect(scripts['test:slow']).toBe(`vitest run ${named}`)
  expect(contributing).toContain('npm run test:slow')
  expect(ci.indexOf('npm run build')).toBeLessThan(ci.indexOf('npm run test:slow'))
})

describe.each(folders)('the suite with a configuration in test/%s', (name) => {
  test('has a command, stands in CONTRIBUTING.md, and is run by .ci/run', () => {
    const file = `--config test/${name}/vitest.config.ts`
    // What only it needs it may install first.
    expect(scripts[`test:${name}`]?.endsWith(`vitest run ${file}`)).toBe(true)
    expect(contributing).toContain(`npm run test:${name}`)
    expect(ci).toContain(`npm run test:${name}`)
  })
})
