import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { asJavaScript } from '../docs/compile.js'
import { type Block, blocksOf } from '../readme/markdown.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'
import { run } from './setup/run.js'
import { compilerPath, oldestNode } from './setup/tools.js'

/** What a program begins with that makes no receiver of its own. */
const receiver = `
import { GatewayClient, statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
const client = GatewayClient.fromEnv()
const callbacks = new CallbackReceiver({
  client,
  publicUrl: 'https://shop.example/gateway/callbacks',
  onPayin: (payin) => console.log(statusOf(payin)),
})`

/** What a program ends with that has made a server: a callback to it. */
const callback = `
import { once } from 'node:events'
await client.payins.create({
  idPayin: 'order-1',
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
})
if (!server.listening) await once(server, 'listening')
const address = server.address()
const origin = \`http://127.0.0.1:\${typeof address === 'object' && address ? address.port : 0}\`
const { pathname } = new URL(callbacks.urlFor({ idPayin: 'order-1' }))
const response = await fetch(origin + pathname, { method: 'POST', body: '{}' })
console.log(\`answered \${response.status}\`)
server.close()
await client.close()`

// The programs of these pages as they stand there, over the packed tarball and the frameworks that they name.
const pages = ['callbacks', 'express', 'nestjs', 'next']
const programs = pages.flatMap((page) =>
  blocksOf(readFileSync(join(root, `docs/${page}.md`), 'utf8'), page)
    .filter(({ language }) => language === 'js' || language === 'ts')
    .map((block) => ({ page, line: block.line, file: `${page}-${block.line}`, ...programOf(block) })),
)
const frameworks = [
  ...['express', 'fastify', 'hono', '@hono/node-server', '@types/express', '@types/node'],
  ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
]
const settings = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    noEmit: true,
  },
  exclude: ['node_modules', 'run'],
}

const cwd = join(inject('installed'), 'callbacks-page')
// Its own callbacks go nowhere: each program calls its receiver itself.
const sandbox = createSandbox({ payAfterMs: 0, rateLimit: false, deliver: async () => ({ status: 204 }) })
beforeAll(async () => {
  for (const name of frameworks) {
    const link = join(cwd, 'node_modules', name)
    await mkdir(join(link, '..'), { recursive: true })
    await symlink(fileURLToPath(new URL(`node_modules/${name}`, import.meta.url)), link)
  }
  await mkdir(join(cwd, 'run'))
  for (const { file, language, text } of programs) {
    await writeFile(join(cwd, `${file}.m${language}`), text)
    await writeFile(join(cwd, 'run', `${file}.mjs`), language === 'ts' ? asJavaScript(text) : text)
  }
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(settings))
  await sandbox.listen()
})
afterAll(() => sandbox.close())

test.each(programs)('the program of docs/$page in line $line runs', async ({ file }) => {
  const secret = 'a-secret-of-at-least-32-bytes-for-tests'
  const env = { ...environmentOf(sandbox), GATEWAY_CALLBACK_SECRET: secret, PORT: '0' }
  const finished = await run([...oldestNode.command, `run/${file}.mjs`], { cwd, env })
  expect(finished).toMatchObject({ code: 0, stderr: '' })
  expect(finished.stdout).toContain('answered 204')
})

test('they compile', async () => {
  expect(programs.length).toBeGreaterThanOrEqual(7)
  const finished = await run([process.execPath, compilerPath('6'), '-p', '.'], { cwd })
  expect(finished).toEqual({ code: 0, stdout: '', stderr: '' })
})

function programOf({ language, setup, code, teardown }: Block): { language: string; text: string } {
  const begin = setup || code.includes('new CallbackReceiver') ? setup : receiver
  // A program of a page that has made no server calls its route itself.
  const calls = teardown.includes('answered') ? '' : callback
  return { language, text: [begin, code, teardown, calls].join('\n') }
}
