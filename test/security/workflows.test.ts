import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
const ci = read(workflow, 'workflows/ci.yml')
/** How GitHub runs a step whose shell is bash. */
const bashOfActions = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c']
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

describe('the step that publishes', () => {
  const [publishing = ''] = commandsOf('publish')
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-publish-'))
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package/package.json'), '{ "name": "a-package" }')
    execFileSync('tar', ['-czf', 'package/a.tgz', 'package/package.json'], { cwd: folder })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Plays the step with a stand-in for npm, whose `view` and `stage` do what is given. */
  function publish(view: string, stage = 'exit 0') {
    writeFileSync(
      join(folder, 'npm'),
      `#!/bin/sh
case "$1 $2" in
  'view a-package') ${view} ;;
  'stage --help') ${stage} ;;
  *) echo "npm $*" >> published ;;
esac`,
      { mode: 0o755 },
    )
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` }
    const { status, stderr } = spawnSync('bash', [...bashOfActions, publishing], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    const published = join(folder, 'published')
    return { status, stderr, published: existsSync(published) ? readFileSync(published, 'utf8') : '' }
  }

  test('stages a version of a package that npm knows', () => {
    expect(publish('echo a-package')).toEqual({
      status: 0,
      stderr: '',
      published: 'npm stage publish ./package/a.tgz --ignore-scripts --provenance --access public\n',
    })
  })

  test.each([
    ['of a new package', "echo 'npm error code E404' >&2; exit 1", 'exit 0'],
    ['where npm can stage none', 'echo a-package', 'exit 1'],
  ])('publishes a version %s', (_, view, stage) => {
    expect(publish(view, stage)).toEqual({
      status: 0,
      stderr: '',
      published: 'npm publish ./package/a.tgz --ignore-scripts --provenance --access public\n',
    })
  })

  test('publishes nothing when the registry does not say whether it knows the package', () => {
    const ended = publish("echo 'npm error code E503' >&2; exit 1")
    expect(ended).toEqual({ status: 1, stderr: 'npm error code E503\n', published: '' })
  })
})

describe('what is published', () => {
  test('is packed by a job that runs the build alone, and again by another, to the same bytes', () => {
    expect(commandsOf('pack')).toEqual(['.ci/pack packed'])
    expect(commandsOf('test').at(-1)).toMatch(/^\.ci\/pack again\n[\s\S]* cmp /)
    const script = readFileSync(join(root, '.ci/pack'), 'utf8')
    expect(script).toContain('npm ci --ignore-scripts')
    expect(script).toContain('node scripts/pack.mjs')
  })

  test('waits for a person, in the environment npm', () => {
    expect(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')).toMatch(
      /^ {2}publish:\n(?: {4}.*\n)* {4}environment: npm$/m,
    )
  })
})

describe('the step that looks at tag, changelog and notes', () => {
  const check = commandsOf('test')[0] ?? ''
  const packages = ['cli', 'sandbox', 'signer']
  let folder = ''
  const setVersion = (name: string, version: string) =>
    writeFileSync(join(folder, 'packages', name, 'package.json'), JSON.stringify({ version }))
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-release-'))
    mkdirSync(join(folder, '.changeset'))
    writeFileSync(join(folder, '.changeset/README.md'), 'How notes are written.')
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }')
    for (const name of packages) {
      mkdirSync(join(folder, 'packages', name), { recursive: true })
      setVersion(name, '1.2.3')
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Plays the step, for a tag and a heading of the changelog. */
  function play(tag: string, heading: string) {
    writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n\n- All new.\n`)
    const env = { PATH: process.env.PATH ?? '', GITHUB_REF_NAME: tag }
    return spawnSync('bash', [...bashOfActions, check], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
  }

  test.each([
    ['v1.2.3', '## [1.2.3] - 2026-11-30', 0],
    ['v1.2.4', '## [1.2.3] - 2026-11-30', 1],
    ['1.2.3', '## [1.2.3] - 2026-11-30', 1],
    ['v1.2.3', '## [Unreleased]', 1],
    ['v1.2.3', '## [1.2.3]', 1],
    ['v1.2.3', '## [1.2.3] - soon', 1],
    ['v1.2.3', '## [1x2.3] - 2026-11-30', 1],
  ])('ends for the tag %s and the heading "%s" with %i', (tag, heading, code) => {
    const ended = play(tag, heading)
    expect(ended.status).toBe(code)
    expect(ended.stderr === '').toBe(code === 0)
  })

  test.each(packages)('ends where the %s has another version', (name) => {
    setVersion(name, '1.2.2')
    const ended = play('v1.2.3', '## [1.2.3] - 2026-11-30')
    expect(ended.status).toBe(1)
    expect(ended.stderr).toContain('more than one version')
    setVersion(name, '1.2.3')
  })

  test('ends where a note has not been put into the changelog', () => {
    writeFileSync(join(folder, '.changeset/forgotten.md'), '---\nmerchant-gateway: patch\n---\n')
    const ended = play('v1.2.3', '## [1.2.3] - 2026-11-30')
    expect(ended.status).toBe(1)
    expect(ended.stderr).toContain('.changeset/forgotten.md')
    rmSync(join(folder, '.changeset/forgotten.md'))
  })
})

describe('the step that looks whether the tag is on main', () => {
  const check = commandsOf('test')[1] ?? ''
  let folder = ''
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: folder })
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-release-'))
    git('init', '--quiet')
    for (const message of ['older', 'newer']) git('commit', '--quiet', '--allow-empty', '--message', message)
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    git('commit', '--quiet', '--allow-empty', '--message', 'reviewed by nobody')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['the newest commit of main', 'origin/main', 0],
    ['an older one', 'origin/main~1', 0],
    ['a commit that is not on main', 'HEAD', 1],
  ])('ends for %s (%s) with %i', (_, commit, status) => {
    const at = execFileSync('git', ['rev-parse', commit], { cwd: folder, encoding: 'utf8' }).trim()
    const work = join(folder, `at-${at}`)
    git('worktree', 'add', '--quiet', '--detach', work, at)
    const env = { PATH: process.env.PATH ?? '', GITHUB_REF_NAME: 'v1.2.3' }
    const ended = spawnSync('bash', [...bashOfActions, check], { cwd: work, env, encoding: 'utf8' })
    expect(ended.status).toBe(status)
    expect(ended.stderr === '').toBe(status === 0)
  })
})

test('CI runs the same on every push and pull request, on the oldest Node that is supported and others', () => {
  expect(Object.keys(ci.on).sort()).toEqual(['pull_request', 'push'])
  expect(ci.permissions).toEqual({ contents: 'read' })
  expect(ci.jobs.run?.steps.map(({ run }) => run)).toContain('.ci/run')
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  expect(ci.jobs.run?.strategy?.matrix.node?.[0]).toMatch(
    new RegExp(`^${engines.node.replace('>=', '').replaceAll('.', '\\.')}-`),
  )
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
