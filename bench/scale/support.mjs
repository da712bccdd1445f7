// @ts-check
// What the measures of scale share.
import { execFileSync } from 'node:child_process'

/**
 * One line of a result.
 *
 * @typedef {{ what: string, value: number, unit: string, digits?: number }} Figure
 */

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {readonly number[]} values @param {number} part */
export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** CPU of this process since then, in milliseconds. @param {NodeJS.CpuUsage} [since] */
export function cpuMs(since) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Seconds of CPU, bytes and commands, as a Redis counts them. @param {{ info(): Promise<string> }} redis */
export async function usageOf(redis) {
  const text = await redis.info()
  const field = (/** @type {string} */ name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
  return {
    cpuMs: 1000 * (field('used_cpu_sys') + field('used_cpu_user')),
    bytes: field('used_memory'),
    commands: field('total_commands_processed'),
    clients: field('connected_clients'),
  }
}

/** @param {number} n */
export const merchantOf = (n) => `M-${String(n).padStart(5, '0')}`

/** @param {import('./support.mjs').Figure[]} figures */
export function tableOf(figures) {
  const rows = figures.map(({ what, value, unit, digits }) => {
    const shown = value.toLocaleString('en', {
      maximumFractionDigits: digits ?? (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2),
    })
    return `| ${what} | ${shown}${unit} |`
  })
  return ['| measured | |', '|---|--:|', ...rows].join('\n')
}

/** Numbers of connections that the machine lets a process have. */
export function openFilesLimit() {
  return Number(execFileSync('sh', ['-c', 'ulimit -n']).toString())
}
