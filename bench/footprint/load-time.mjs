// @ts-check
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleaved } from '../support/stats.mjs'

/**
 * What loading a package took, in milliseconds, one figure for each round: the whole process and its CPU
 * time, less those of an empty process, and the import alone, measured inside.
 *
 * @typedef {{ whole: number[], cpu: number[], inside: number[] }} Times
 */

/** @param {string} folder @param {string} worker @param {string[]} args */
function run(folder, worker, args) {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, worker), ...args], {
    encoding: 'utf8',
  })
  const whole = performance.now() - start
  if (status !== 0) throw new Error(`${worker} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return { whole, ...JSON.parse(stdout) }
}

/** The best of three: whatever else the machine does only adds. @param {{ whole: number, cpu: number, inside: number }[]} runs */
function best(runs) {
  /** @param {'whole' | 'cpu' | 'inside'} what */
  const least = (what) => Math.min(...runs.map((taken) => taken[what]))
  return { whole: least('whole'), cpu: least('cpu'), inside: least('inside') }
}

/**
 * Fresh processes that load a package, each next to an empty one. Every round gives each package its turn.
 *
 * @param {readonly import('./install.mjs').Contender[]} contenders
 * @param {'load.mjs' | 'load.cjs'} worker
 * @param {number} rounds
 */
export async function loadTimes(contenders, worker, rounds) {
  /** @type {Map<string, Times>} */
  const times = new Map(contenders.map(({ name }) => [name, { whole: [], cpu: [], inside: [] }]))
  await interleaved(rounds + 1, contenders, async ({ name, folder }, round) => {
    const pairs = [1, 2, 3].map(() => ({ empty: run(folder, worker, []), full: run(folder, worker, [name]) }))
    // The first round reads the files from disk.
    if (round === 0) return
    const empty = best(pairs.map((pair) => pair.empty))
    const full = best(pairs.map((pair) => pair.full))
    times.get(name)?.whole.push(full.whole - empty.whole)
    times.get(name)?.cpu.push(full.cpu - empty.cpu)
    times.get(name)?.inside.push(full.inside)
  })
  return times
}

/**
 * @param {import('./install.mjs').Contender} contender
 * @param {'esm' | 'cjs'} format
 * @returns {{ files: string[], bundled: string[], builtins: string[] }}
 */
export function loaded({ name, folder }, format) {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url))
  const args = [join(folder, 'modules.mjs'), name, format, ...(name === 'merchant-gateway' ? [dist] : [])]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
}
