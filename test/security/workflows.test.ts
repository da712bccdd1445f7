import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { root } from '../support/root.js'

const permissions = z.record(z.string(), z.string())
const step = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
})
const workflow = z.object({
  permissions,
  on: z.record(z.string(), z.unknown()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      permissions: permissions.optional(),
      'runs-on': z.string(),
      container: z.string().optional(),
      strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
      services: z.never().optional(),
      steps: z.array(step).min(1),
    }),
  ),
})

function read<T>(schema: z.ZodType<T>, file: string): T {
  return schema.parse(parse(readFileSync(join(root, '.github', file), 'utf8')))
}

const release = read(workflow, 'workflows/release.yml')
const commandsOf = (job: string) => release.jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? []

describe('a release', () => {
  test('gives the right to publish to no code of this repository or its dependencies', () => {
    expect(release.permissions).toEqual({ contents: 'read' })
    expect(release.jobs.test?.permissions).toBeUndefined()
    expect(commandsOf('test')).toContain('.ci/run')
    expect(release.jobs.publish?.needs).toEqual(['pack', 'test'])
  })

  test('does nothing in the job that can prove who it is but fetch the tarball and publish it', () => {
    const publishing = release.jobs.publish?.steps ?? []
    const [fetched, published, ...others] = publishing.map(({ uses, run }) => uses?.split('@')[0] ?? run)
    expect(fetched).toBe('actions/download-artifact')
    expect(published).toContain('in ./package/*.tgz; do')
    expect(published?.match(/npm (?:stage )?publish .*/g)).toEqual([
      'npm stage publish "$tarball" --ignore-scripts --provenance --access public',
      'npm publish "$tarball" --ignore-scripts --provenance --access public',
    ])
    expect(others).toEqual([])
    const proving = Object.entries(release.jobs).filter(
      ([, job]) => job.permissions?.['id-token'] === 'write',
    )
    expect(proving.map(([name]) => name)).toEqual(['publish'])
  })
})

/** Plays a step as GitHub runs it, where its shell is bash. */
function play(script: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const bash = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script]
  return spawnSync('bash', bash, { cwd, env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' })
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-release-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the step that publishes', () => {
  const [publishing = ''] = commandsOf('publish')
  const staged = 'npm stage publish ./package/a.tgz --ignore-scripts --provenance --access public\n'
  const unknown = "echo 'npm error code E404' >&2; exit 1"
  const silent = "echo 'npm error code E503' >&2; exit 1"

  test.each([
    ['stages a version of a package that npm knows', 'echo a-package', 'exit 0', 0, staged],
    ['publishes a new package', unknown, 'exit 0', 0, staged.replace(' stage', '')],
    ['publishes where npm can stage nothing', 'echo a-package', 'exit 1', 0, staged.replace(' stage', '')],
    ['publishes nothing when the registry does not say what it knows', silent, 'exit 0', 1, ''],
  ])('%s', (_what, view, stage, status, said) => {
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package/package.json'), '{ "name": "a-package" }')
    execFileSync('tar', ['-czf', 'package/a.tgz', 'package/package.json'], { cwd: folder })
    // In the place of npm, whose `view` and `stage` do what is given.
    const cases = `'view a-package') ${view} ;; 'stage --help') ${stage} ;; *) echo "npm $*" >> published ;;`
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncase "$1 $2" in ${cases} esac`, { mode: 0o755 })
    writeFileSync(join(folder, 'published'), '')
    const ended = play(publishing, folder, { PATH: `${folder}${delimiter}${process.env.PATH}` })
    expect([ended.status, readFileSync(join(folder, 'published'), 'utf8')]).toEqual([status, said])
  })
})

test('the job that publishes waits for a person, in the environment npm', () => {
  expect(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')).toMatch(
    /^ {2}publish:\n(?: {4}.*\n)* {4}environment: npm$/m,
  )
})

describe('the step that looks at tag, changelog and notes', () => {
  const check = commandsOf('test')[0] ?? ''
  const good = '## [1.2.3] - 2026-11-30'
  const versions = { cli: '1.2.3', sandbox: '1.2.3', signer: '1.2.3' }
  const several = 'more than one version'

  test.each<readonly [string, string, object, readonly string[], string | undefined]>([
    ['v1.2.3', good, {}, [], undefined],
    ['v1.2.4', good, {}, [], ''],
    ['1.2.3', good, {}, [], ''],
    ['v1.2.3', '## [Unreleased]', {}, [], ''],
    ['v1.2.3', '## [1.2.3]', {}, [], ''],
    ['v1.2.3', '## [1.2.3] - soon', {}, [], ''],
    ['v1.2.3', '## [1x2.3] - 2026-11-30', {}, [], ''],
    ['v1.2.3', good, { cli: '1.2.2' }, [], several],
    ['v1.2.3', good, { sandbox: '1.2.2' }, [], several],
    ['v1.2.3', good, { signer: '1.2.2' }, [], several],
    ['v1.2.3', good, {}, ['forgotten.md'], '.changeset/forgotten.md'],
  ])('for the tag %s, "%s", %j and the notes %j says %s', (tag, heading, others, notes, says) => {
    mkdirSync(join(folder, '.changeset'))
    for (const note of ['README.md', ...notes]) writeFileSync(join(folder, '.changeset', note), 'A note.')
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }')
    for (const [name, version] of Object.entries({ ...versions, ...others })) {
      mkdirSync(join(folder, 'packages', name), { recursive: true })
      writeFileSync(join(folder, 'packages', name, 'package.json'), JSON.stringify({ version }))
    }
    writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n\n- All new.\n`)
    const { status, stderr } = play(check, folder, { GITHUB_REF_NAME: tag })
    expect([status, stderr === '']).toEqual(says === undefined ? [0, true] : [1, false])
    expect(stderr).toContain(says ?? '')
  })
})

test.each([
  ['the newest commit of main', 'origin/main', 0],
  ['an older one', 'origin/main~1', 0],
  ['a commit that is not on main', 'HEAD', 1],
])('the step that looks whether the tag is on main ends for %s (%s) with %i', (_what, commit, status) => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: folder })
  git('init', '--quiet')
  for (const message of ['older', 'newer']) git('commit', '--quiet', '--allow-empty', '--message', message)
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  git('commit', '--quiet', '--allow-empty', '--message', 'reviewed by nobody')
  git('checkout', '--quiet', '--detach', commit)
  const ended = play(commandsOf('test')[1] ?? '', folder, { GITHUB_REF_NAME: 'v1.2.3' })
  expect([ended.status, ended.stderr === '']).toEqual([status, status === 0])
})

const files = readdirSync(join(root, '.github/workflows')).map((file) => `workflows/${file}`)

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(root, '.github', file), 'utf8')
  const jobs = Object.values(read(workflow, file).jobs)

  test('names every action, which is one of GitHub’s own, by its commit, and says the version behind it', () => {
    const uses = jobs.flatMap(({ steps }) => steps.flatMap((one) => one.uses ?? []))
    expect(uses.length).toBeGreaterThan(0)
    for (const use of uses) {
      expect(use).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
      expect(text).toMatch(new RegExp(`uses: ${use} # v\\d+\\.\\d+\\.\\d+$`, 'm'))
    }
  })

  test('names every image by its digest', () => {
    for (const { container, strategy } of jobs) {
      if (container === undefined) continue
      const [, variable] = /^node:\$\{\{ matrix\.(\w+) \}\}$/.exec(container) ?? []
      const images =
        variable === undefined
          ? [container]
          : (strategy?.matrix[variable] ?? [container]).map((tag) => `node:${tag}`)
      for (const image of images) expect(image).toMatch(/^node:[\w.-]+@sha256:[0-9a-f]{64}$/)
    }
  })
})

test('one commit of an action and one image of a line of Node is used in all workflows', () => {
  const all = files.map((file) => readFileSync(join(root, '.github', file), 'utf8')).join('\n')
  const pins = new Map<string, Set<string>>()
  for (const [, name = '', pin = ''] of all.matchAll(/(actions\/[a-z-]+|\d+\.\d+[\w.-]*)@([\w:]+)/g)) {
    pins.set(name, (pins.get(name) ?? new Set()).add(pin))
  }
  for (const [name, found] of pins) expect([...found], name).toHaveLength(1)
})
