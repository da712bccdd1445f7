import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** What `.ci/run` begins with: how it runs commands beside others. */
const [head = ''] = readFileSync('.ci/run', 'utf8').split('# A download')

test('what runs beside a step that fails ends, with all that it has started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ci-run-'))
  const path = join(folder, 'socket')
  const server = createServer().listen(path)
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  // A shell that waits for what it has started, as that of an npm script does.
  const suite = `node -e 'require("net").connect("${path}")'; true`
  const script = `${head.replace('cd "$(dirname "$0")/.."', '')}
    beside suite sh -c ${JSON.stringify(suite)}
    read -r connected
    false`
  const connected = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const run = execFile('bash', ['-c', script])
  const socket = await connected
  onTestFinished(() => void socket.destroy())
  const closed = once(socket.resume(), 'close')
  run.stdin?.end('yes\n')
  expect(await once(run, 'exit')).toEqual([1, null])
  await closed
})
