import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { linksOf, setupFolder } from '../readme/markdown.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'
import { ended, start } from './children.js'
import { asJavaScript, complaintsOf } from './compile.js'
import { allGuides, guideOf, guides, type Program, programsOf } from './guides.js'
import { relyingOnNothing } from './strict.js'

/** `UPDATE_DOCS=1 npx vitest run test/docs/guides.test.ts` writes what programs print into the pages. */
const update = process.env.UPDATE_DOCS === '1'

// Inside the repository, so that the package is found by its own name; ignored by git.
const folder = join(root, 'coverage', `guides-${process.pid}`)
beforeAll(() => {
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packageJson: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const scripts = Object.keys(packageJson.scripts)
/** Compared with what the program prints by packages/cli/test. */
const cliPage = ['command-line', 'sandbox-command', 'payouts']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n')
/** Each command of the signer is a file. */
const signerCommands = readdirSync(join(root, 'packages/signer/src/cli')).map((file) => basename(file, '.ts'))

const runner = join(root, 'test/docs/run-programs.mjs')
const withPrograms = guides.filter((guide) => programsOf(guide).length > 0)

const tutorials = ['first-payin.md', 'first-payout.md', 'first-rehearsal.md']

test('every program of the guides compiles under the settings of the project', () => {
  const others = [...tutorials, 'sandbox.md', 'testing-with-vitest.md'].map(guideOf)
  const sources = [...withPrograms, ...others]
    .flatMap(programsOf)
    .map(({ name, source }): [string, string] => [name, source])
  expect(complaintsOf(new Map(sources))).toEqual([])
})

describe.each(withPrograms)('$file', (guide) => {
  const programs = programsOf(guide)

  test('has programs that run and print what it shows', async () => {
    // What a guide relies on stands in the specification.
    await using sandbox = createSandbox({
      strictness: 'specification',
      payAfterMs: 0,
      rateLimit: false,
      deliver: async () => ({ status: 204 }),
    })
    await sandbox.listen()
    const env = {
      ...environmentOf(sandbox),
      GATEWAY_CALLBACK_SECRET: 'a-secret-of-at-least-32-bytes-for-docs',
    }
    // As it stands it prints what the page shows; with sandboxes that show less it has to work too.
    const files = [...programs.map(write), ...programs.flatMap(writeStrict)]
    const { code, stdout, stderr } = await ended(start(process.execPath, [runner, ...files], { env }))
    const ran = stdout.split('\n').filter(Boolean).map(readRun)
    for (const [index, { file, output, problem }] of ran.entries()) {
      expect(problem, basename(file)).toBeNull()
      const program = programs[index]
      if (program === undefined) continue
      if (update && program.output !== undefined) put(program, output)
      else expect(output.trimEnd(), basename(file)).toBe(program.output ?? output.trimEnd())
    }
    expect({ code, stderr, programs: ran.length }).toEqual({ code: 0, stderr: '', programs: files.length })
  })
})

test('every file of docs/setup belongs to a block', () => {
  const pages = [...allGuides, guideOf('../AGENTS.md')]
  const named = pages.flatMap(({ file, blocks }) =>
    blocks.flatMap(({ name }) =>
      name === undefined ? [] : `${basename(file, '.md').toLowerCase()}.${name}`,
    ),
  )
  const files = readdirSync(setupFolder).map((file) => file.replace(/\.(?:before|after)\.ts$/, ''))
  expect([...new Set(files)].filter((name) => !named.includes(name))).toEqual([])
})

test('every page of the guides has blocks of no language that is not looked at', () => {
  // text is what a program prints; mermaid is a drawing, powershell wants a machine that has it, sql and json are checked where they are proved, javascript in packages/cli/test.
  const languages = guides.flatMap(({ blocks }) => blocks.map(({ language }) => language))
  const known = [
    'js',
    'ts',
    'sh',
    'text',
    'mermaid',
    'sql',
    'json',
    'nginx',
    'python',
    'javascript',
    'powershell',
  ]
  expect([...new Set(languages)].filter((language) => !known.includes(language))).toEqual([])
})

const atTheRoot = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'api.md'].map((file) =>
  guideOf(`../${file}`),
)

describe.each([...allGuides, ...atTheRoot])('$file', ({ path, text }) => {
  const read = (link: string) => readFileSync(join(dirname(path), link), 'utf8')

  test('links to files that exist', () => {
    for (const link of linksOf(text)) expect(() => read(link), link).not.toThrow(/ENOENT/)
  })

  test('links to headings that exist', () => {
    for (const [, to, anchor = ''] of text.matchAll(/\]\(([\w./-]*\.md)?#([^)]+)\)/g)) {
      expect(anchorsOf(to === undefined ? text : read(to)), `${to}#${anchor}`).toContain(anchor)
    }
  })
})

describe.each(allGuides)('$file', ({ blocks }) => {
  test('names no command that is not there', () => {
    const shown = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.split('\n'))
    for (const line of shown.flatMap((all) => all.split('&&'))) expect(problemOf(line.trim()), line).toBe('')
  })
})

test('the index names every guide', () => {
  const index = allGuides.find(({ file }) => file === 'README.md')
  const named = linksOf(index?.text ?? '')
  const files = allGuides.map(({ file }) => file).filter((file) => file !== 'README.md')
  expect(files.filter((file) => !named.includes(file))).toEqual([])
})

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): string[] {
  const headings = markdown.replace(/^```[\s\S]*?^```$/gm, '').match(/^#+ .*$/gm) ?? []
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** What is wrong with a line of a shell; nothing where it can be typed as it stands. */
function problemOf(line: string): string {
  const command = line.replace(/^(?:[A-Z_]+=\S* )+/, '').replace(/ +#.*$/, '')
  const [name = '', first = '', second = ''] = command.split(' ')
  if (['', '#', 'export', 'openssl', 'git', 'curl', 'grep'].includes(name)) return ''
  if (name === 'node') return first === '' ? 'no program' : ''
  if (name === 'npx')
    return ['merchant-gateway', 'merchant-gateway-sandbox', 'merchant-gateway-signer', 'vitest'].includes(
      first,
    )
      ? cliProblem(first, second)
      : first
  if (name !== 'npm') return `${name} is no command that these tests know`
  if (first === 'run') return scripts.includes(second) ? '' : `no npm script ${second}`
  return ['ci', 'install', 'test', 'audit', 'view'].includes(first) ? '' : `npm ${first}`
}

function cliProblem(program: string, command: string): string {
  // Without a command the sandbox's serves.
  if (program === 'merchant-gateway-signer') return signerCommands.includes(command) ? '' : `no ${command}`
  if (program === 'vitest' || (program !== 'merchant-gateway' && /^(?:--|$)/.test(command))) return ''
  return cliPage.includes(`\n  ${command}`) ? '' : `${program} has no command ${command}`
}

function write({ name, source, block }: Program): string {
  const file = join(folder, name.replace(/\.mts$/, '.mjs'))
  writeFileSync(file, block.language === 'ts' ? asJavaScript(source) : source)
  return file
}

/** The same with sandboxes of its own that show nothing but the specification; nothing where it makes none. */
function writeStrict(program: Program): string[] {
  const source = relyingOnNothing(program.source)
  // What counts requests in real time looks at no response, and takes seconds.
  const isSame = source === program.source || source.includes('expectNoRateLimitHit')
  return isSame ? [] : [write({ ...program, source, name: `strict-${program.name}` })]
}

function put({ guide, block, output = '' }: Program, printed: string): void {
  const page = readFileSync(guide.path, 'utf8')
  const at = page.indexOf(`\`\`\`text\n${output}\n\`\`\``, page.indexOf(block.code))
  const start = at + '```text\n'.length
  writeFileSync(guide.path, page.slice(0, start) + printed.trimEnd() + page.slice(start + output.length))
}

interface Run {
  readonly file: string
  readonly output: string
  readonly problem: string | null
}

function readRun(line: string): Run {
  const { file, output, problem }: Run = JSON.parse(line)
  return { file, output, problem }
}
