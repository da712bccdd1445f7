// @ts-check
// Results of measurements, as they were made last.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** @param {string} file */
const pathOf = (file) => new URL(`${file}.json`, import.meta.url)

/** @param {string} file @returns {Record<string, { date: string, node: string, cores: number, figures: any[] }>} */
export function kept(file) {
  return existsSync(pathOf(file)) ? JSON.parse(readFileSync(pathOf(file), 'utf8')) : {}
}

/** @param {string} file @param {string} name @param {object[]} figures */
export function keep(file, name, figures) {
  const date = new Date().toISOString().slice(0, 10)
  const all = { ...kept(file), [name]: { date, node: process.version, cores: cpus().length, figures } }
  writeFileSync(pathOf(file), `${JSON.stringify(all, null, 2)}\n`)
}
