import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { environmentOf } from '../support/merchant-environment.js'
import { http2InFrontOf } from './setup/http2.js'
import { project } from './setup/project.js'
import { run } from './setup/run.js'
import { authorityPem } from './setup/tls.js'
import { nodes } from './setup/tools.js'

// undici 8 doesn't run on Node 20.
test.each(nodes.slice(1))(
  'undici 8 is a dispatcher, over HTTP/2 too, on $name',
  async ({ name, command }) => {
    const installed = inject('installed')
    const packages = { 'undici-8': join(import.meta.dirname, 'node_modules/undici-8') }
    const cwd = await project('dispatcher', { installed, as: `dispatcher ${name}`, packages })
    await using sandbox = createSandbox({ payAfterMs: 0 })
    const { url } = await sandbox.listen()
    await using front = await http2InFrontOf(url)
    const env = { ...environmentOf(sandbox), GATEWAY_BASE_URL: front.url, AUTHORITY: authorityPem }
    const finished = await run([...command, 'http2.js'], { cwd, env })
    expect(finished).toEqual({ code: 0, stdout: 'replayed true\nSUCCESS\n', stderr: '' })
    expect(front.requests()).toBe(sandbox.requests.length)
    expect(sandbox.payouts.list()).toHaveLength(1)
  },
)
