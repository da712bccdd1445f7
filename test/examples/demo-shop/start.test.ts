import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { listen } from '../../support/listening.js'
import { runNode } from '../support.js'

// It waits for a whole process.
vi.setConfig({ testTimeout: 30_000 })

test.each(['SHOP_PORT', 'SANDBOX_PORT', 'DEMO_PORT'])(
  'a %s that is taken ends the demo with a sentence',
  async (name) => {
    const other = createServer()
    const port = String(await listen(other))
    const env = { SHOP_PORT: '0', SANDBOX_PORT: '0', DEMO_PORT: '0', [name]: port }
    const { code, stdout, stderr } = await runNode(['examples/demo-shop/start.mjs'], { env })
    other.close()
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^Port ${port} is taken, so the demo has ended: .* ${name}=0 for a free one\\.$`, 'm'),
      ),
    })
  },
)
