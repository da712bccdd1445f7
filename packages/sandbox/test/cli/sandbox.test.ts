import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { describe, expect, test } from 'vitest'
import { root } from '../../../../test/support/root.js'
import { privatePem, publicPem } from '../../../../test/support/vectors.js'
import { escapes, run, secrets, start, temporaryFolders } from './here.js'

const publicKeyFile = join(root, 'test/vectors/rsa2048.public.pem')
const privateKeyFile = join(root, 'test/vectors/rsa2048.pkcs8.pem')

const newFolder = temporaryFolders()

interface Served {
  readonly baseUrl: string
  readonly merchantCode: string
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly privateKeyFile: string
  readonly page?: string
}

/** A sandbox that this process serves. */
async function serve(...args: string[]) {
  const running = start(['sandbox', '--json', '--port', '0', ...args])
  const served: Served = JSON.parse(await running.until('\n'))
  return { served, end: running.end, until: running.until }
}

/** The variables in what `sandbox` printed, as a shell would set them. */
function exported(screen: string): Record<string, string> {
  return Object.fromEntries(
    [...screen.matchAll(/^export (\w+)=(\S+)\r?$/gm)].map(([, name, value]) => [name, value]),
  )
}

describe('sandbox', () => {
  test('prints the variables that a client needs, and ends at Ctrl-C', async () => {
    const session = start(['sandbox'])
    const variables = exported(await session.until('Ctrl-C ends it'))
    expect(Object.keys(variables)).toEqual([
      'GATEWAY_BASE_URL',
      'GATEWAY_MERCHANT_CODE',
      'GATEWAY_TIMESTAMP_UNIT',
      'GATEWAY_LIVE',
      'GATEWAY_PRIVATE_KEY_FILE',
    ])
    const { GATEWAY_PRIVATE_KEY_FILE: file = '' } = variables
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    const client = GatewayClient.fromEnv({}, variables)
    expect(await client.merchantInfo.retrieve()).toHaveProperty('channelInfo')
    await client.close()

    const { code, stdout, stderr } = await session.end()
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'The sandbox has ended.\n' })
    for (const secret of secrets) expect(stdout).not.toMatch(secret)
    await expect(fetch(variables.GATEWAY_BASE_URL ?? '')).rejects.toThrow()
  })

  test('has its key at the same path each time, and two at once have the same', async () => {
    const home = newFolder()
    const [one, other] = [start(['sandbox'], {}, { home }), start(['sandbox'], {}, { home })]
    const [first, second] = [exported(await one.until('Ctrl-C')), exported(await other.until('Ctrl-C'))]
    const file = join(home, '.merchant-gateway-sandbox', 'private-key.pem')
    expect([first.GATEWAY_PRIVATE_KEY_FILE, second.GATEWAY_PRIVATE_KEY_FILE]).toEqual([file, file])
    for (const variables of [first, second]) {
      const client = GatewayClient.fromEnv({}, variables)
      expect(await client.merchantInfo.retrieve()).toHaveProperty('channelInfo')
      await client.close()
    }
    const pem = readFileSync(file, 'utf8')
    await Promise.all([one.end(), other.end()])
    const again = start(['sandbox'], {}, { home })
    await again.until('Ctrl-C')
    await again.end()
    expect(readFileSync(file, 'utf8')).toBe(pem)
    expect(readdirSync(dirname(file))).toEqual(['private-key.pem'])
  })

  test('says so when something else is at the path of its key, and needs no home', async () => {
    const home = newFolder()
    mkdirSync(join(home, '.merchant-gateway-sandbox'))
    const file = join(home, '.merchant-gateway-sandbox', 'private-key.pem')
    writeFileSync(file, 'canary')
    const { code, stderr } = await start(['sandbox'], {}, { home }).finished
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: ${file} holds no private RSA key.\n       Delete it, and the sandbox makes one.\n`,
    })
    const homeless = start(['sandbox'], {}, { home: file })
    const { GATEWAY_PRIVATE_KEY_FILE = '' } = exported(await homeless.until('Ctrl-C'))
    expect(existsSync(GATEWAY_PRIVATE_KEY_FILE)).toBe(true)
    await homeless.end()
    expect(existsSync(GATEWAY_PRIVATE_KEY_FILE)).toBe(false)
  })

  test('listens at port 4010, and says so when it is at the next free one', async () => {
    const holder = createServer()
    // Taken by this test, or by something else on this machine.
    await new Promise<void>((resolve) => {
      holder.once('error', () => resolve())
      holder.listen(4010, '127.0.0.1', resolve)
    })
    const running = start(['sandbox'])
    const { GATEWAY_BASE_URL = '' } = exported(await running.until('Ctrl-C'))
    const { stdout } = await running.end()
    const { port } = new URL(GATEWAY_BASE_URL)
    expect(Number(port)).toBeGreaterThan(4010)
    expect(stdout).toContain(`# Port 4010 is taken, so it is ${port}.\n`)
    await new Promise((resolve) => holder.close(resolve))
  })

  test('writes what node --env-file reads, anew at each start, and overwrites no other file', async () => {
    const folder = newFolder()
    const file = join(folder, '.env')
    const args = ['sandbox', '--write-env', file, '--merchant-code', "M'1 #2"]
    const running = start(args)
    const printed = await running.until('Ctrl-C')
    expect(printed).toContain(`# Its variables are in ${file}: node --env-file=${file} …\n`)
    expect(printed).not.toContain('export ')
    const program = 'console.log(JSON.stringify(process.env))'
    const read = () => {
      const printed = execFileSync(process.execPath, [`--env-file=${file}`, '-e', program], { env: {} })
      return JSON.parse(printed.toString())
    }
    const variables = read()
    expect(variables).toMatchObject({ GATEWAY_MERCHANT_CODE: "M'1 #2", GATEWAY_LIVE: 'false' })
    const client = GatewayClient.fromEnv({}, variables)
    expect(await client.merchantInfo.retrieve()).toHaveProperty('channelInfo')
    await client.close()
    await running.end()

    const again = start(['sandbox', '--write-env', file])
    await again.until('Ctrl-C')
    expect(read()).toMatchObject({ GATEWAY_MERCHANT_CODE: 'SANDBOX-MERCHANT' })
    await again.end()

    writeFileSync(file, 'GATEWAY_BASE_URL=https://gateway.example\n')
    const { code, stderr } = await run(args)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: ${file} is there already and was not written by the sandbox.\n       Name another file, such as .env.sandbox.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('GATEWAY_BASE_URL=https://gateway.example\n')
  })

  test('prints one line of JSON for scripts, without colours', async () => {
    const { served, end } = await serve('--merchant-code', 'M 1')
    const { stdout } = await end()
    expect(stdout.trimEnd()).not.toContain('\n')
    expect(stdout).not.toMatch(escapes)
    expect(served).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      merchantCode: 'M 1',
      timestampUnit: 'seconds',
      privateKeyFile: expect.any(String),
      page: `${served.baseUrl}/_sandbox/`,
    })
  })

  test('quotes for the shell', async () => {
    const running = start(['sandbox', '--merchant-code', "M'1"])
    await running.until('\n')
    expect((await running.end()).stdout).toContain(`export GATEWAY_MERCHANT_CODE='M'\\''1'\n`)
  })

  test("with the merchant's public key makes no key: the merchant's own signs", async () => {
    const { served, end } = await serve('--public-key', publicKeyFile)
    expect(served).not.toHaveProperty('privateKeyFile')
    const { baseUrl, merchantCode } = served
    const client = new GatewayClient({ baseUrl, merchantCode, privateKey: privatePem })
    expect(await client.merchantInfo.retrieve()).toHaveProperty('channelInfo')
    await client.close()
    await end()
    const running = start(['sandbox', '--public-key', publicKeyFile])
    await running.until('\n')
    const { stdout } = await running.end()
    expect(stdout).toContain('GATEWAY_PRIVATE_KEY_FILE is the file of your own private key')
    expect(stdout).not.toContain(publicPem.slice(60, 90))
  })

  test('refuses a private key where the public one belongs, without showing it', async () => {
    const { code, stderr } = await run(['sandbox', '--public-key', privateKeyFile])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /holds a private key\.\n {7}Give the public one, and hand the private one to nobody\.\n$/,
    )
    for (const secret of secrets) expect(stderr).not.toMatch(secret)
  })

  test('names a key file that is not there, or is none', async () => {
    expect((await run(['sandbox', '--public-key', 'nowhere.pem'])).stderr).toBe(
      'error: nowhere.pem does not exist.\n       Name a file that is there.\n',
    )
    expect((await run(['sandbox', '--public-key', 'package.json'])).stderr).toBe(
      'error: package.json holds no public RSA key in PEM form.\n       Make one with "openssl pkey -pubout -in PRIVATE-KEY".\n',
    )
  })

  test('serves no page with --no-page', async () => {
    const { served, end } = await serve('--no-page')
    expect(served).not.toHaveProperty('page')
    expect((await fetch(`${served.baseUrl}/_sandbox/`)).status).toBe(404)
    await end()
  })

  const order = {
    idPayin: 'order-1',
    paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  }

  test('prints one line for each exchange, refused ones too, and nothing secret', async () => {
    const running = start(['sandbox', '--log', '--port', '0'])
    const variables = exported(await running.until('Ctrl-C'))
    const { GATEWAY_BASE_URL: url = '' } = variables
    const client = GatewayClient.fromEnv({ retries: 0 }, variables)
    const stranger = new GatewayClient({
      baseUrl: url,
      merchantCode: 'M',
      privateKey: privatePem,
      retries: 0,
    })
    await client.payins.create(order)
    const lost = {
      ...order,
      idPayin: 'order-2',
      paymentRequested: { money: { amount: 5001, currencyCode: 'EUR' } },
    }
    await client.payins.create(lost).catch(() => {})
    await stranger.merchantInfo.retrieve().catch(() => {})
    await fetch(`${url}/payins/${'eyJhbGciOiJIUzI1NiJ9.canary'}?password=canary`)
    await running.until('X-API-Version')
    for (const one of [client, stranger]) await one.close()
    const { stdout } = await running.end()
    const lines = stdout
      .slice(stdout.indexOf('Ctrl-C ends it.\n') + 16)
      .trimEnd()
      .split('\n')
    const time = '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}'
    expect(lines).toEqual(
      [
        'POST /auth-tokens 200 done, \\d+ ms',
        'POST /payins/order-1 200 done, \\d+ ms',
        'POST /payins/order-2 --- done, and the connection is reset in place of a response, \\d+ ms, fault drop-after',
        'POST /auth-tokens 401 X-SIGNATURE does not match the body and a known public key\\., \\d+ ms',
        'POST /auth-tokens 401 X-SIGNATURE does not match the body and a known public key\\., \\d+ ms',
        'GET /payins/\\[redacted\\]\\?password=\\[redacted\\] 404 X-API-Version is missing or not 2, the only supported version\\., \\d+ ms',
      ].map((line) => expect.stringMatching(new RegExp(`^${time} ${line}$`))),
    )
    for (const secret of secrets) expect(lines.join('\n')).not.toMatch(secret)
  })

  test('prints them as JSON where that is asked for', async () => {
    const { served, end, until } = await serve('--log')
    await fetch(`${served.baseUrl}/merchant-info`)
    const printed = await until('X-API-Version')
    await end()
    const line: unknown = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '')
    expect(line).toMatchObject({
      method: 'GET',
      path: '/merchant-info',
      status: 404,
      tookMs: expect.any(Number),
    })
  })

  test('says that its port is taken', async () => {
    const { served, end } = await serve()
    const { port } = new URL(served.baseUrl)
    const { code, stderr } = await run(['sandbox', '--port', port])
    expect(code).toBe(2)
    expect(stderr).toBe(
      `error: Port ${port} of 127.0.0.1 is taken, so the sandbox does not listen.\n       End what listens there, or give another port; 0 takes a free one.\n`,
    )
    await end()
  })
})
