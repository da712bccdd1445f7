// Fails where Redis, PostgreSQL, Python, faketime or promtool is missing. Without them the tests that need them are skipped,
// which the suites may do on somebody's machine and `.ci/run` may not.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'

const engines = [
  {
    name: 'Redis',
    url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
    port: 6379,
    variable: 'REDIS_URL',
  },
  {
    name: 'PostgreSQL',
    url: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    port: 5432,
    variable: 'DATABASE_URL',
  },
]

/** @param {string} host @param {number} port */
function answers(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3000 })
    /** @param {boolean} isThere */
    const end = (isThere) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
}

const missing = []
for (const { name, url, port, variable } of engines) {
  const { hostname, port: given } = new URL(url)
  const at = given === '' ? port : Number(given)
  if (!(await answers(hostname, at))) {
    missing.push(
      `${name} does not answer at ${hostname}:${at}; start one, or say where it is in ${variable}.`,
    )
  }
}
// The suite test:engines starts servers of its own, which it kills.
try {
  execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
} catch {
  missing.push('redis-server is not installed.')
}
try {
  if (!readdirSync('/usr/lib/postgresql').some((version) => /^\d+$/.test(version))) throw new Error()
} catch {
  missing.push('The programs of PostgreSQL are not installed (/usr/lib/postgresql).')
}
// A shop in another language is rehearsed, one gets a later clock, and alarms are played.
for (const [program, of] of [
  ['python3', 'python3'],
  ['faketime', 'faketime'],
  ['promtool', 'prometheus'],
]) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
  } catch {
    missing.push(`${program} is not installed (Debian's package ${of}).`)
  }
}
for (const line of missing) console.error(line)
process.exitCode = missing.length > 0 ? 1 : 0
