// @ts-check
// Private servers, on ports and folders of their own, that may be killed.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

/** @param {number} port */
export async function listening(port) {
  for (let n = 0; n < 200; n++) {
    const isThere = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('close', () => socket.destroy())
      socket.on('connect', () => socket.destroy())
    })
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing listens on port ${port}`)
}

/** What is still running when this process ends, in whatever way. @type {Set<() => void>} */
const running = new Set()
process.once('exit', () => {
  for (const end of running) end()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** A Redis that keeps nothing when it is killed. */
export async function privateRedis() {
  const port = await freePort()
  /** @type {import('node:child_process').ChildProcess} */
  let server
  const start = async () => {
    server = spawn('redis-server', ['--port', `${port}`, '--save', '', '--bind', '127.0.0.1'], {
      stdio: 'ignore',
    })
    await listening(port)
  }
  const kill = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }
  const atExit = () => void server.kill('SIGKILL')
  running.add(atExit)
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    flush: async () => {
      execFileSync('redis-cli', ['-p', `${port}`, 'FLUSHALL'], { stdio: 'ignore' })
    },
    end: async () => {
      running.delete(atExit)
      await kill()
    },
  }
}

/** Where the programs of PostgreSQL are. */
function postgresPrograms() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const [newest] = versions.sort((a, b) => Number(b) - Number(a))
  return newest === undefined ? '' : `/usr/lib/postgresql/${newest}/bin/`
}

/** A PostgreSQL with the tables of this package. It refuses to run as root, so it runs as `postgres` there. */
export async function privatePostgres() {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-pg-'))
  const data = join(folder, 'data')
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  if (asUser.length > 0) execFileSync('chown', ['postgres', folder])
  /** @param {string[]} args */
  const run = (...args) => {
    const [program = '', ...rest] = [...asUser, ...args]
    execFileSync(program, rest, { stdio: 'ignore', cwd: folder })
  }
  const programs = postgresPrograms()
  run(`${programs}initdb`, '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const start = async () => {
    run(`${programs}pg_ctl`, '-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start')
    await listening(port)
  }
  const kill = async () => run(`${programs}pg_ctl`, '-D', data, '-m', 'immediate', 'stop')
  const atExit = () => {
    run(`${programs}pg_ctl`, '-D', data, '-m', 'immediate', 'stop')
    rmSync(folder, { recursive: true, force: true })
  }
  running.add(atExit)
  await start()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const { default: pg } = await import('pg')
  const { schemaSql } = await import('merchant-gateway/postgres')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(schemaSql())
  await client.end()
  return {
    url,
    start,
    kill,
    flush: async () => {
      const one = new pg.Client({ connectionString: url })
      await one.connect()
      await one.query('TRUNCATE merchant_gateway_ledger')
      await one.end()
    },
    end: async () => {
      running.delete(atExit)
      atExit()
    },
  }
}
