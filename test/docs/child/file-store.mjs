// @ts-check
// The table of docs/payouts.md in a file, for processes that die: `KILL_AT` names the moment.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const { STORE: file = '', KILL_AT: killAt = '', NOW: now = '0' } = process.env
const leaseMs = 300_000

/** @typedef {{ idPayout: string, amount: string, currency: string, accountName: string, accountNumber: string, state: string, tries: number, nextTryAt: number }} Row */

export const store = {
  /** @param {Pick<Row, 'idPayout' | 'amount' | 'currency' | 'accountName' | 'accountNumber'>} row */
  add(row) {
    dieAt('before the id is stored')
    const rows = read()
    if (!rows.some(({ idPayout }) => idPayout === row.idPayout)) {
      write([...rows, { ...row, state: 'open', tries: 0, nextTryAt: 0 }])
    }
    dieAt('before the call')
  },
  async next() {
    const rows = read()
    const row = rows.find(({ state, nextTryAt }) => state === 'open' && nextTryAt <= Number(now))
    if (row === undefined) return undefined
    row.tries += 1
    row.nextTryAt = Number(now) + leaseMs
    write(rows)
    return row
  },
  /** @param {string} idPayout @param {string} state */
  async settle(idPayout, state) {
    dieAt('before it stores the answer')
    write(read().map((row) => (row.idPayout === idPayout ? { ...row, state } : row)))
  },
}

/** @param {string} moment */
function dieAt(moment) {
  if (killAt === moment) process.kill(process.pid, 'SIGKILL')
}

/** @returns {Row[]} */
function read() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

/** @param {readonly Row[]} rows */
function write(rows) {
  writeFileSync(`${file}.new`, JSON.stringify(rows))
  renameSync(`${file}.new`, file)
}
