import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { anyToken, handMadeGateway, json, type Reply } from './servers.js'

/** The largest that is read by default. */
const maxResponseBytes = 4 * 1024 * 1024

/** As many copies as fit, with commas between them. */
function listOf(entry: string, start: string, end: string): string {
  const copies = Math.floor((maxResponseBytes - start.length - end.length + 1) / (entry.length + 1))
  return `${start}${Array(copies).fill(entry).join(',')}${end}`
}

const keys = Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')
const bodies: Record<string, string> = {
  numbers: listOf('0', '{"data":[', ']}'),
  objects: listOf('{}', '{"data":[', ']}'),
  options: listOf('{"paymentMethodCode":"","paymentOperators":[0]}', '{"data":[', ']}'),
  deep: '['.repeat(maxResponseBytes / 2) + ']'.repeat(maxResponseBytes / 2),
  keys: `{${keys}}`,
  text: JSON.stringify('x'.repeat(maxResponseBytes - 2)),
  status: JSON.stringify({ process: { status: 'x'.repeat(maxResponseBytes - 100) } }),
}

/** Runs some calls against every body, with a heap of 256 MiB. */
async function run(status: number) {
  const answer: Reply = (response, { path }) => {
    const body = bodies[path.split('/')[1] ?? ''] ?? ''
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body)
  }
  const create: Reply = (response, request) =>
    request.path.includes('auth-tokens')
      ? json(200, { token: anyToken })(response, request)
      : answer(response, request)
  await using gateway = await handMadeGateway({ create: [create], lookUp: [answer] })
  const file = fileURLToPath(new URL('child/hostile-answers.mjs', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=256', '--no-warnings', file, gateway.url, ...Object.keys(bodies)],
    { timeout: 60_000, killSignal: 'SIGKILL' },
  )
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    complained += String(chunk)
  })
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, complained, lines: said.trim().split('\n') }
}

it.each([200, 409])(
  'an answer of 4 MiB with status %i, whatever is in it, ends in a result or an error of ours, in 256 MiB',
  { timeout: 90_000 },
  async (status) => {
    expect(Object.values(bodies).every(({ length }) => length <= maxResponseBytes)).toBe(true)
    const { code, complained, lines } = await run(status)
    expect({ code, complained, last: lines.at(-1) }).toEqual({ code: 0, complained: '', last: 'done' })
    expect(lines.filter((line) => /foreign|too much/.test(line))).toEqual([])
    expect(lines).toHaveLength(Object.keys(bodies).length * 4 + 1)
  },
)
