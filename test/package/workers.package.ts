import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { blocksOf } from '../readme/markdown.js'
import { root } from '../support/root.js'

// The program of docs/workers.md as it stands there, over what is built, in the runtime of Cloudflare Workers.
const page = readFileSync(join(root, 'docs/workers.md'), 'utf8')
const [program] = blocksOf(page).filter(({ language }) => language === 'js')

const sandbox = createSandbox({
  rateLimit: false,
  payAfterMs: false,
  deliver: async ({ url }) => ({ status: (await ask(url, '{}')).status }),
})
let workers: Miniflare
let options: MiniflareOptions & { readonly modules: true }

beforeAll(async () => {
  await sandbox.listen()
  const { baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
  options = {
    modules: true,
    script: await bundled(program?.code ?? ''),
    compatibilityDate: '2025-09-15',
    compatibilityFlags: ['nodejs_compat'],
    kvNamespaces: ['STATUSES'],
    bindings: {
      GATEWAY_BASE_URL: baseUrl,
      GATEWAY_MERCHANT_CODE: merchantCode,
      GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      CALLBACK_SECRET: 'a-secret-of-at-least-32-bytes-for-tests',
    },
  }
  workers = new Miniflare(options)
  await workers.ready
}, 60_000)
afterAll(async () => {
  await workers?.dispose()
  await sandbox.close()
})

/** With and without the prefix, as Wrangler has it under nodejs_compat. */
const nodeStaysOutside: Plugin = {
  name: 'node-stays-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z0-9_:/]+$/ }, ({ path }) =>
      isBuiltin(path) || path.startsWith('node:')
        ? { path: `node:${path.replace(/^node:/, '')}`, external: true }
        : undefined,
    )
  },
}

/** As Wrangler bundles it: one module, and what Node has is the runtime's. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    alias: {
      'merchant-gateway': join(root, 'dist/index.js'),
      'merchant-gateway/callbacks': join(root, 'dist/callbacks/index.js'),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    plugins: [nodeStaysOutside],
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

const ask = (url: string, body: string) => workers.dispatchFetch(url, { method: 'POST', body })
const order = (orderId: string) => ask('https://shop.example/', JSON.stringify({ orderId, amount: '10.50' }))
const tokenRequests = () => sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens')).length

test('requests that come at once have a client each, and the token of an earlier one', async () => {
  expect((await order('order-0')).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => order(`order-${n}`)))
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
    Array(10).fill({ reference: expect.any(String) }),
  )
  expect(sandbox.payins.size).toBe(10)
  expect(tokenRequests()).toBe(1)
})

test('and so have those that come later; the same order again is the same payin', async () => {
  expect((await order('order-0')).status).toBe(200)
  expect((await order('order-10')).status).toBe(200)
  expect(sandbox.payins.size).toBe(11)
  expect(tokenRequests()).toBe(1)
})

test('callbacks are received: the payin is looked up, and its status kept', async () => {
  await order('order-20')
  sandbox.payins.get('order-20').pay()
  await sandbox.idle()
  // Its type wants those of Workers, which nothing else here needs.
  const statuses: object = await workers.getKVNamespace('STATUSES')
  expect(await Reflect.get(statuses, 'get').call(statuses, 'order-20')).toBe('SUCCESS')
  expect(tokenRequests()).toBe(1)
})

test('what no receiver has signed is refused', async () => {
  expect((await ask('https://shop.example/gateway/callbacks/1.forged', '{}')).status).toBe(404)
})

test('a client that requests share does not work there', async () => {
  const contents = `
    import { GatewayClient } from 'merchant-gateway'
    let client
    export default { async fetch(request, env) {
      client ??= GatewayClient.fromEnv({ fetch, deadlineMs: 5_000 }, env)
      try { await client.merchantInfo.retrieve() } catch (error) { return new Response(String(error), { status: 502 }) }
      return new Response(null, { status: 204 })
    } }`
  await workers.setOptions({ ...options, script: await bundled(contents) })
  const answers = await Promise.all([1, 2, 3].map(() => ask('https://shop.example/', '')))
  const refused = answers.filter(({ status }) => status !== 204)
  expect(refused.length).toBeGreaterThan(0)
  // As its requests come upon each other: workerd says the one or the other, or a timer of one that is over never ends.
  for (const answer of refused) {
    expect(await answer.text()).toMatch(
      /on behalf of a different request|code had hung|deadlineMs \(5000 ms\) passed/,
    )
  }
})
