// The report of the public API: what each entry exports, as its declarations in dist say, in test/api/reports.
// Writes the reports; with --check it writes nothing, and fails where one is not what dist exports.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The main entry comes first: the others may use its names without exporting them again. */
const entries = [
  ...Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports).flatMap(
    ([path, { import: module }]) =>
      module === undefined ? [] : [{ name: join('merchant-gateway', path), types: module.types.slice(7) }],
  ),
  ...['sandbox', 'cli', 'signer'].map((name) => ({
    name: `merchant-gateway-${name}`,
    types: `../packages/${name}/dist/index.d.ts`,
  })),
].map((entry) => ({ ...entry, report: `${entry.name.replace('/', '-')}.api.md` }))

const silent = { logLevel: 'none' }
const loud = { logLevel: 'error' }

/** What API Extractor is told; whatever it finds and is not silenced here is a problem. */
function configOf(types, folder) {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: types,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            lib: ['es2023', 'esnext.disposable'],
            module: 'nodenext',
            moduleResolution: 'nodenext',
            types: ['node'],
            strict: true,
            exactOptionalPropertyTypes: true,
            skipLibCheck: true,
          },
          files: [types],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: 'report.api.md',
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: loud },
        extractorMessageReporting: {
          default: loud,
          // Everything that an entry exports is public; what is internal is not in the declarations at all.
          'ae-missing-release-tag': silent,
          // TypeDoc sees to it (npm run docs), and counts what a class inherits from an interface.
          'ae-undocumented': silent,
          // And to links: it knows the other entries and packages, and fails on one that leads nowhere.
          'ae-unresolved-link': silent,
        },
        // The comments are in the form that TypeDoc and editors read.
        tsdocMessageReporting: { default: silent },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  })
}

/** The report of one entry, and what is wrong with what it exports. */
function readEntry({ name, types, report }, dist, mainNames) {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-api-'))
  mkdirSync(join(folder, 'temp'))
  const problems = []
  const borrowed = new Set()
  try {
    Extractor.invoke(configOf(join(dist, types), folder), {
      localBuild: true,
      messageCallback(message) {
        const { category, logLevel, messageId, text } = message
        message.handled = true
        message.logLevel = 'none'
        if (category === 'console' || logLevel === 'none' || logLevel === 'verbose') return
        const missing = messageId === 'ae-forgotten-export' ? /symbol "(\w+)"/.exec(text)?.[1] : undefined
        if (missing !== undefined && mainNames?.has(missing)) borrowed.add(missing)
        else problems.push(`${name}: ${text} (${messageId})`)
      },
    })
    const code = readFileSync(join(folder, 'temp', 'report.api.md'), 'utf8')
    return { report, problems, text: pageOf(name, code, [...borrowed].sort()) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The report without what is the same in each, and without remarks on comments. */
function pageOf(name, extracted, borrowed) {
  const code = extracted
    .slice(extracted.indexOf('```ts\n') + 6, extracted.lastIndexOf('```'))
    .split('\n')
    .filter((line) => !/^\s*\/\/ \((?:undocumented|No @packageDocumentation.*)\)$/.test(line))
    .map((line) => line.replace(/^\/\/ @public(?: \(undocumented\))?$/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const from =
    borrowed.length === 0 ? '' : `\nFrom the main entry: ${borrowed.map((one) => `\`${one}\``).join(', ')}.\n`
  return `# What \`${name}\` exports\n\nWritten by \`npm run reports\`; do not edit.\n${from}\n\`\`\`ts\n${code}\n\`\`\`\n`
}

/** Names that a report's entry exports. */
function namesIn(text) {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/gm,
  )
  return new Set([...declared].map(([, name]) => name))
}

/** Lines that one text has and the other has not. */
function difference(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const [oldLines, nowLines] = [new Set(old), new Set(now)]
  return [
    ...old.filter((line) => !nowLines.has(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !oldLines.has(line)).map((line) => `+ ${line}`),
  ]
}

function main() {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
  const dist = join(root, 'dist')
  const reports = join(root, 'test/api/reports')
  let mainNames
  for (const entry of entries) {
    const { report, problems, text } = readEntry(entry, dist, mainNames)
    mainNames ??= namesIn(text)
    for (const problem of problems) complain(problem)
    const file = join(reports, report)
    const kept = readIfThere(file)
    if (kept === text) continue
    if (!values.check) {
      mkdirSync(reports, { recursive: true })
      writeFileSync(file, text)
      continue
    }
    complain(
      [
        `test/api/reports/${report} is not what ${entry.name} exports; if the change is meant, run \`npm run reports\` and commit the report with a note in .changeset.`,
        ...difference(kept, text),
      ].join('\n'),
    )
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function complain(sentence) {
  console.error(sentence)
  process.exitCode = 1
}

main()
