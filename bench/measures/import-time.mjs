// @ts-check
import { answerOf } from '../support/processes.mjs'
import { summary } from '../support/stats.mjs'

const formats = { esm: 'workers/import-esm.mjs', cjs: 'workers/import-cjs.cjs' }

/** Time to import, in fresh processes, and what it brings along. @param {{ quick: boolean }} options */
export async function measureImport({ quick }) {
  const rows = []
  for (const [format, worker] of Object.entries(formats)) {
    const ms = []
    for (let round = 0; round < (quick ? 3 : 31); round++) {
      const answer = await answerOf(worker, { args: ['merchant-gateway'] })
      // The first round reads the files from disk.
      if (round > 0) ms.push(answer.ms)
    }
    const { files } = await answerOf('workers/loaded-files.mjs', { args: ['merchant-gateway', format] })
    const unwanted = files.filter((/** @type {string} */ file) => /\/undici\/|\/sandbox\//.test(file)).length
    rows.push(
      { what: `import, ${format}: client`, unit: ' ms', ...summary(ms) },
      { what: `import, ${format}: files of undici or the sandbox`, atMost: 0, ...summary([unwanted]) },
    )
  }
  return rows
}
