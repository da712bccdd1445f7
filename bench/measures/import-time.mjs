// @ts-check
import { answerOf } from '../support/processes.mjs'
import { interleaved, ratios, summary } from '../support/stats.mjs'

const packages = ['merchant-gateway', 'stripe']
const formats = { esm: 'workers/import-esm.mjs', cjs: 'workers/import-cjs.cjs' }

/** Time to import, in fresh processes, and what it brings along. @param {{ quick: boolean }} options */
export async function measureImport({ quick }) {
  const rows = []
  for (const [format, worker] of Object.entries(formats)) {
    /** @type {Record<string, number[]>} */
    const ms = Object.fromEntries(packages.map((name) => [name, []]))
    await interleaved(quick ? 3 : 31, packages, async (name, round) => {
      const answer = await answerOf(worker, { args: [name] })
      // The first round reads the files from disk.
      if (round > 0) ms[name]?.push(answer.ms)
    })
    const [ours = [], theirs = []] = packages.map((name) => ms[name])
    const { files } = await answerOf('workers/loaded-files.mjs', { args: ['merchant-gateway', format] })
    const unwanted = files.filter((/** @type {string} */ file) => /\/undici\/|\/sandbox\//.test(file)).length
    rows.push(
      { what: `import, ${format}: client / stripe`, atMost: 0.15, ...summary(ratios(ours, theirs)) },
      { what: `import, ${format}: client`, unit: ' ms', ...summary(ours) },
      { what: `import, ${format}: files of undici or the sandbox`, atMost: 0, ...summary([unwanted]) },
    )
  }
  return rows
}
