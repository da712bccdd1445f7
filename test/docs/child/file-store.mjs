// @ts-check
// The table of docs/outbox.md in a file, for processes that die: `KILL_AT` names the moment.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const { STORE: file = '', KILL_AT: killAt = '', NOW: now = '0' } = process.env
const leaseMs = 10_000
const retryMs = 60_000

/** @typedef {{ idPayout: string, amount: string, currency: string, accountName: string, accountNumber: string, state: string, tries: number, nextTryAt: number }} Row */

/** Is called when no row is due. */
let idle = () => {}

export const store = {
  /** @param {() => void} act */
  whenIdle(act) {
    idle = act
  },
  /** @param {Pick<Row, 'idPayout' | 'amount' | 'currency' | 'accountName' | 'accountNumber'>} row */
  add(row) {
    dieAt('before the id is stored')
    const rows = read()
    if (!rows.some(({ idPayout }) => idPayout === row.idPayout)) {
      write([...rows, { ...row, state: 'open', tries: 0, nextTryAt: 0 }])
    }
    dieAt('before the call')
  },
  async take() {
    const rows = read()
    const row = rows.find(({ state, nextTryAt }) => state === 'open' && nextTryAt <= Number(now))
    if (row === undefined) {
      idle()
      return undefined
    }
    row.tries += 1
    row.nextTryAt = Number(now) + leaseMs
    write(rows)
    return row
  },
  /** @param {Row} row */
  async keep(row) {
    change(row, { nextTryAt: Number(now) + leaseMs })
  },
  /** @param {Row} row @param {string} state */
  async setState(row, state) {
    dieAt('before it stores the answer')
    change(row, { state, nextTryAt: Number(now) + retryMs })
  },
}

/** Only for whoever took the row last. @param {Row} row @param {Partial<Row>} changes */
function change({ idPayout, tries }, changes) {
  const isIts = (/** @type {Row} */ row) =>
    row.idPayout === idPayout && row.tries === tries && row.state === 'open'
  write(read().map((row) => (isIts(row) ? { ...row, ...changes } : row)))
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
