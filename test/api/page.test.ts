import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import { createSandbox } from '../../src/sandbox/index.js'
import { routeNames } from '../../src/sandbox/wire/routes.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = await readFile(`${root}api.md`, 'utf8')

/** The methods of an object's class, without those that print or end it. */
function methodsOf(object: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter(
    (name) => name !== 'constructor' && name !== 'toJSON',
  )
}

async function withClient<T>(use: (client: GatewayClient) => T): Promise<T> {
  const sandbox = createSandbox()
  const client = new GatewayClient(sandbox.clientOptions())
  try {
    return use(client)
  } finally {
    await client.close()
    await sandbox.close()
  }
}

describe('api.md', () => {
  it('is what the sources say', { timeout: 120_000 }, async () => {
    await promisify(execFile)(process.execPath, [`${root}scripts/api-page.mjs`, '--check'])
  })

  it('has every method of the client and of what the client holds', async () => {
    const calls = await withClient((client) => [
      ...methodsOf(client).map((name) => `client.${name}(`),
      ...Object.entries(client).flatMap(([resource, object]) =>
        methodsOf(object).map((name) => `client.${resource}.${name}(`),
      ),
    ])
    expect(calls.length).toBeGreaterThan(20)
    expect(calls.filter((call) => !page.includes(`| \`${call}`))).toEqual([])
  })

  it('names every endpoint that the gateway has', () => {
    const routes = routeNames.filter((route) => route !== 'GET /payins/{idPayin}/customer-account')
    expect(routes.length).toBe(11)
    expect(routes.filter((route) => !page.includes(`| \`${route}\` |`))).toEqual([])
  })

  it('leads nowhere that is not there', async () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to)
    const anchors = new Set<string>()
    for (const [, heading = ''] of page.matchAll(/^#+ (.+)$/gm)) {
      const slug = heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replace(/ /g, '-')
      let anchor = slug
      for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
      anchors.add(anchor)
    }
    expect(links.length).toBeGreaterThan(300)
    expect(links.filter((to) => to.startsWith('#') && !anchors.has(to.slice(1)))).toEqual([])
    const files = new Set(links.filter((to) => !to.startsWith('#')))
    for (const file of files) await access(root + file)
  })
})
