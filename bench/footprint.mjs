// @ts-check
// What the package costs before it does anything, beside other SDKs: node bench/footprint.mjs [--rounds 11]
// Needs the build and the registry. The others are pinned in bench/footprint/contenders/package.json.
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installAll } from './footprint/install.mjs'
import { loaded, loadTimes } from './footprint/load-time.mjs'
import { comparison, loadedByImport } from './footprint/report.mjs'
import { weigh, weighLines } from './footprint/weigh.mjs'
import { ratios, summary } from './support/stats.mjs'
import { table } from './support/table.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '11' } } })
const rounds = Number(values.rounds)
const zodImports = ["import { z } from 'zod'", "import * as z from 'zod'", "import * as z from 'zod/mini'"]

const temporary = await mkdtemp(join(tmpdir(), 'footprint-'))
try {
  process.stderr.write('installing …\n')
  const contenders = await installAll(temporary)
  const [ours] = contenders
  if (ours === undefined) throw new Error('nothing was installed')
  process.stderr.write('importing …\n')
  const esm = await loadTimes(contenders, 'load.mjs', rounds)
  process.stderr.write('requiring …\n')
  const cjs = await loadTimes(contenders, 'load.cjs', rounds)

  const measured = []
  for (const contender of contenders) {
    const [esmTimes, cjsTimes] = [esm.get(contender.name), cjs.get(contender.name)]
    if (esmTimes === undefined || cjsTimes === undefined) throw new Error(`${contender.name} was not timed`)
    const files = { esm: loaded(contender, 'esm').files.length, cjs: loaded(contender, 'cjs').files.length }
    const weight = await weigh(contender, contender === ours ? { beside: ['undici'] } : {})
    measured.push({ ...contender, esm: esmTimes, cjs: cjsTimes, files, weight })
  }

  const day = new Date().toISOString().slice(0, 10)
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores`
  const parts = [`${machine}, ${rounds} rounds, on ${day}.`, comparison(measured)]

  const mib = 1024 * 1024
  const rows = []
  for (const [format, times] of Object.entries({ esm, cjs })) {
    const { files, bundled, builtins } = loaded(ours, format === 'esm' ? 'esm' : 'cjs')
    const unwanted = [...files, ...bundled, ...builtins].filter((name) =>
      /\/undici\/|\/sandbox\/|opentelemetry/.test(name),
    )
    const [mine, stripes] = [times.get(ours.name), times.get('stripe')]
    if (mine === undefined || stripes === undefined) throw new Error('the client or stripe was not timed')
    /** @type {Record<string, keyof import('./footprint/load-time.mjs').Times>} */
    const aims = { 'whole process': 'whole', 'its CPU time': 'cpu', 'the import inside it': 'inside' }
    for (const [label, what] of Object.entries(aims)) {
      const ratio = ratios(mine[what], stripes[what])
      rows.push({ what: `${format}, ${label}: client / stripe`, atMost: 0.2, ...summary(ratio) })
    }
    rows.push({ what: `${format}: undici, sandbox, OpenTelemetry`, atMost: 0, ...summary([unwanted.length]) })
  }
  const weight = await weigh(ours, { beside: ['undici'] })
  const inOneFile = await weigh(ours, { beside: ['undici'], inOneFile: true })
  rows.push(
    { what: 'packages installed', atMost: 2, ...summary([ours.packages]) },
    { what: 'installed', unit: ' MB', atMost: 4, ...summary([ours.bytes / mib]) },
    { what: 'main entry, min+gz', unit: ' KB', atMost: 30, ...summary([weight / 1024]) },
    { what: 'the same with what is loaded later', unit: ' KB', ...summary([inOneFile / 1024]) },
  )
  parts.push(table(rows), loadedByImport(loaded(ours, 'esm')))

  const zod = ['zod for one object with one string, minified and gzipped:\n']
  for (const line of zodImports) {
    const lines = `${line}; console.log(z.object({ name: z.string() }))`
    const bytes = await weighLines(lines, import.meta.dirname)
    zod.push(`- \`${line}\`: ${(bytes / 1024).toFixed(1)} KB`)
  }
  parts.push(zod.join('\n'))

  const report = parts.join('\n\n')
  console.log(report)
} finally {
  await rm(temporary, { recursive: true, force: true })
}
