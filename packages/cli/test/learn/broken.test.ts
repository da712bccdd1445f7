import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readProfile } from '../../../../src/profile/read-profile.js'
import { HandGateway } from '../../../../test/profile/gateways/hand-gateway.js'
import { credentials, fastPace } from '../../../../test/profile/gateways/support.js'
import { closedAddress } from '../../../../test/support/listening.js'
import { runLearn } from '../../src/learn/run.js'
import type { LearnCommandOptions } from '../../src/learn/settings.js'
import { startActHere } from '../here.js'

// They ask over sockets, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

type Serve = (response: ServerResponse, request: IncomingMessage) => void

/** A gateway that answers in its own way from the so-and-so-many-th request on. */
class Broken extends HandGateway {
  readonly #from: number
  readonly #serve: Serve
  #count = 0

  constructor(from: number, serve: Serve) {
    super()
    this.#from = from
    this.#serve = serve
  }

  override serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#count++
    if (this.#count < this.#from) return super.serve(request, response)
    this.#serve(response, request)
    return Promise.resolve()
  }
}

const fails: Serve = (response) => void response.writeHead(500).end('{"error":"broken"}')
const resets: Serve = (response) => void response.socket?.resetAndDestroy()
const isSilent: Serve = () => undefined
const showsAPage: Serve = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>')
const neverEnds: Serve = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
const trickles: Serve = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
}
const redirects: Serve = (response) => void response.writeHead(302, { location: '/login' }).end()
const isBusy: Serve = (response) => void response.writeHead(429).end()

const pace = { ...fastPace, timeoutMs: 300 }

async function learnFrom(
  gateway: HandGateway | string,
  options: Partial<LearnCommandOptions> = {},
  withPace = pace,
) {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-learn-'))
  onTestFinished(async () => {
    if (typeof gateway !== 'string') await gateway.close()
    rmSync(folder, { recursive: true })
  })
  const out = join(folder, 'gateway-profile.json')
  const baseUrl = typeof gateway === 'string' ? gateway : await gateway.listen()
  const started = startActHere((io) => runLearn({ out, yes: true, wait: 1, ...options }, io, withPace), {
    ...credentials,
    GATEWAY_BASE_URL: baseUrl,
  })
  const kept = (file = out) =>
    existsSync(file) ? readProfile(JSON.parse(readFileSync(file, 'utf8'))) : undefined
  return { ...started, out, kept }
}

describe('a gateway of which nothing can be learnt ends it, without a file', () => {
  test.each<[what: string, serve: Serve, code: number, says: RegExp]>([
    [
      'answers 500 to everything',
      fails,
      1,
      /4 requests in a row .* it was answered 500; nothing was learnt\.$/,
    ],
    ['cuts every connection', resets, 3, /no answer came: the connection was cut; nothing was learnt\.$/],
    ['never answers', isSilent, 3, /no answer came: nobody answered in time; nothing was learnt\.$/],
    [
      'shows a page',
      showsAPage,
      1,
      /\(200, text\/html\) holds nothing that can be a token; nothing was learnt\.$/,
    ],
    ['sends bodies without an end', neverEnds, 3, /did not end within 1 MiB; nothing was learnt\.$/],
    ['sends bodies that hardly come', trickles, 3, /nobody answered in time; nothing was learnt\.$/],
    [
      'leads elsewhere',
      redirects,
      1,
      /^error: it redirects \(302\): set GATEWAY_BASE_URL .*; nothing was learnt\.$/,
    ],
  ])('one that %s', async (_, serve, code, says) => {
    // A busy machine takes its time for a megabyte.
    const longer = { ...pace, timeoutMs: serve === neverEnds ? 10_000 : pace.timeoutMs }
    const { ended, out } = await learnFrom(new Broken(0, serve), {}, longer)
    const { code: came, stderr } = await ended
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(says)
    expect({ code: came, exists: existsSync(out) }).toEqual({ code, exists: false })
  })

  test('one that is not there', async () => {
    const { ended } = await learnFrom(await closedAddress())
    expect(await ended).toMatchObject({ code: 3, stderr: expect.stringContaining('nobody listens there') })
  })

  test('one that refuses for its rate only', async () => {
    const { ended } = await learnFrom(new Broken(0, isBusy))
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toContain('others spend the same budget')
  })
})

describe('a gateway that breaks half-way ends it, and what was learnt until then is kept', () => {
  test.each<[what: string, serve: Serve, code: number]>([
    ['answers 500', fails, 1],
    ['cuts connections', resets, 3],
    ['answers no more', isSilent, 3],
    ['sends bodies without an end', neverEnds, 3],
    ['refuses for its rate', isBusy, 1],
  ])('one that %s from the 15th request on', async (_, serve, code) => {
    const { ended, kept } = await learnFrom(new Broken(15, serve))
    const { code: came, stderr } = await ended
    expect(came).toBe(code)
    expect(stderr).toMatch(/; what was learnt until then is kept in .*gateway-profile\.json\.\n$/)
    const profile = kept()
    expect(profile?.tokens).toMatchObject({ field: 'token', timestampUnit: 'seconds' })
    expect(profile?.answers).toHaveProperty('GET /merchant-info')
    expect(profile?.notSeen?.['payouts.statusField']).toMatch(/^the run ended before it was seen: /)
  })

  test('one that is there already stays, and the new one stands beside it', async () => {
    const { ended, out, kept } = await learnFrom(new Broken(15, fails), { force: true })
    // The file is looked for when the plan is made, so it has to be there before.
    await ended
    const first = readFileSync(out, 'utf8')
    const again = await learnAgain(out, new Broken(15, fails))
    expect(await again.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('.json.part.\n') })
    expect(readFileSync(out, 'utf8')).toBe(first)
    expect(kept(`${out}.part`)?.tokens).toMatchObject({ field: 'token' })
  })

  test('an interruption too', async () => {
    const { line, end, kept } = await learnFrom(new Broken(15, isSilent), {}, { ...pace, timeoutMs: 60_000 })
    await line
    const { code, stderr } = await end()
    expect(code).toBe(130)
    expect(stderr).toContain('it was interrupted')
    expect(kept()?.refusals).toHaveProperty('token-missing')
  })
})

async function learnAgain(out: string, gateway: HandGateway) {
  onTestFinished(() => gateway.close())
  const env = { ...credentials, GATEWAY_BASE_URL: await gateway.listen() }
  return startActHere((io) => runLearn({ out, yes: true, force: true, wait: 1 }, io, pace), env)
}

test('payments that are refused, or come to no end, leave the rest to be learnt', async () => {
  class Reluctant extends HandGateway {
    override steps = ['PENDING']
    override created() {
      return { status: 422, body: { code: 'NOT_TODAY' } }
    }
  }
  const { ended, kept } = await learnFrom(new Reluctant())
  const { code, stdout } = await ended
  expect(code).toBe(1)
  expect(stdout).toContain('the payin was not taken: it was answered 422')
  expect(kept()?.notSeen?.['payins.statuses']).toBe('the payin was not taken: it was answered 422')
  expect(kept()?.rate).toEqual({ counted: 'in-windows', takenAtOnce: 11 })
  class Endless extends HandGateway {
    override steps = ['CREATED', 'PENDING', 'PENDING']
    override found(payment: Parameters<HandGateway['found']>[0], status: string) {
      return super.found({ ...payment, processedAt: '' }, status)
    }
  }
  const endless = await learnFrom(new Endless())
  expect(await endless.ended).toMatchObject({ code: 0 })
  expect(endless.kept()?.payins?.statuses).toEqual({ CREATED: 'passing', PENDING: 'unclear' })
  expect(endless.kept()?.notSeen?.['payins.statuses']).toMatch(/^it had not come to an end after \d s$/)
})

test.each([0, 2])(
  'a payin that is none of a test is followed by no payout, also where it is not visible for %d look-ups',
  async (hidden) => {
    class Real extends HandGateway {
      #lookUps = 0
      override found(payment: Parameters<HandGateway['found']>[0], status: string) {
        this.#lookUps++
        if (this.#lookUps <= hidden) return { status: 404, body: { code: 'NOT_FOUND' } }
        return { status: 200, body: { process: { status, isTest: false }, idPayin: payment.id } }
      }
    }
    const gateway = new Real()
    const { ended, kept } = await learnFrom(gateway)
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toContain('no test payment (isTest is false), so real money may move, and nothing more')
    expect([...gateway.payments.values()].map(({ kind }) => kind)).toEqual(['payin'])
    expect(kept()?.answers).toHaveProperty('POST /payins/{idPayin}')
  },
)

/** Says of tests what is given, and nothing where that is undefined. */
class Saying extends HandGateway {
  readonly #isTest: (kind: 'payin' | 'payout', status: string) => unknown
  constructor(isTest: (kind: 'payin' | 'payout', status: string) => unknown) {
    super()
    this.#isTest = isTest
  }
  override found(payment: Parameters<HandGateway['found']>[0], status: string) {
    const isTest = this.#isTest(payment.kind, status)
    return { status: 200, body: { process: { status }, more: { isTest }, idPayin: payment.id } }
  }
  get kinds() {
    return [...this.payments.values()].map(({ kind }) => kind)
  }
}

describe('no payout is created', () => {
  test.each([undefined, null])(
    'where the payin says isTest: %s, unless a flag says that it is a test',
    async (said) => {
      const gateway = new Saying(() => said)
      const { ended, kept } = await learnFrom(gateway)
      const { code, stdout } = await ended
      expect(gateway.kinds).toEqual(['payin'])
      expect(stdout).toMatch(/^warn {2}payout +it was not created, since no payin said .*isTest: true/m)
      expect(stdout).toContain('give --assume-test.')
      expect(code).toBe(0)
      expect(kept()?.notSeen?.['payouts.statuses']).toMatch(/^it was not created/)
      const assumed = new Saying(() => said)
      expect(await (await learnFrom(assumed, { assumeTest: true })).ended).toMatchObject({ code: 0 })
      expect(assumed.kinds).toEqual(['payin', 'payout'])
    },
  )

  test('where the payin was refused, or there is no token for payins', async () => {
    class NoPayins extends HandGateway {
      override created(payment: Parameters<HandGateway['created']>[0]) {
        return payment.kind === 'payin' ? { status: 422 } : super.created(payment)
      }
    }
    const gateway = new NoPayins()
    expect(await (await learnFrom(gateway)).ended).toMatchObject({ code: 1 })
    expect([...gateway.payments.values()].map(({ kind }) => kind)).toEqual(['payin'])
  })

  test.each([false, 'false', 0, 'no'])(
    'where the payin says isTest: %j, whatever the flag says',
    async (said) => {
      const gateway = new Saying(() => said)
      const { code } = await (await learnFrom(gateway, { assumeTest: true })).ended
      expect({ code, kinds: gateway.kinds }).toEqual({ code: 1, kinds: ['payin'] })
    },
  )
})

test.each([
  ['a payout by a flag', (kind: string) => (kind === 'payin' ? undefined : false), true],
  ['a payout after a payin that was a test', (kind: string) => kind === 'payin', undefined],
  [
    'a payin at its end',
    (kind: string, status: string) => kind === 'payout' || status !== 'SUCCESS',
    undefined,
  ],
] as const)(
  'what says later that it is no test is told loudly, with its id: %s',
  async (_what, isTest, assumeTest) => {
    const gateway = new Saying(isTest)
    const { ended, kept } = await learnFrom(gateway, assumeTest === undefined ? {} : { assumeTest })
    const { code, stderr } = await ended
    expect(gateway.kinds).toEqual(['payin', 'payout'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /error: the (?:payin|payout) says that it is no test payment .* real money may move/,
    )
    expect(stderr).toMatch(
      /^-> The id of the (?:payin|payout) is learn-[0-9a-f-]{36}: have the platform stop it/m,
    )
    expect(JSON.stringify(kept())).not.toContain('learn-')
  },
)

test.each([
  ['always', [500, 500, 500], 'it was answered 500'],
  ['at first', [500, 400], 'it was answered 400'],
])('a create that %s fails is not said to be refused', async (_when, statuses, last) => {
  class Unclear extends HandGateway {
    readonly #statuses = [...statuses]
    override created(payment: Parameters<HandGateway['created']>[0]) {
      if (payment.kind === 'payin') this.payments.delete(`payin ${payment.id}`)
      const status = payment.kind === 'payin' ? this.#statuses.shift() : undefined
      return status === undefined ? super.created(payment) : { status, body: { code: 'UNCLEAR' } }
    }
  }
  const { ended, kept } = await learnFrom(new Unclear())
  const { code, stdout } = await ended
  const why = `it is not known whether the payin was taken: ${last}`
  expect(code).toBe(1)
  expect(stdout).toContain(why)
  expect(kept()?.notSeen?.['payins.statuses']).toBe(why)
})

describe('before anything is sent', () => {
  test('a yes is wanted, and a file that is there stays', async () => {
    const gateway = new HandGateway()
    const { out } = await learnFrom(gateway, {}, pace).then(async (one) => {
      await one.ended
      return one
    })
    const asked = gateway.requests.length
    const before = readFileSync(out, 'utf8')
    const env = { ...credentials, GATEWAY_BASE_URL: `${await closedAddress()}` }
    await expect(startActHere((io) => runLearn({ out, wait: 1 }, io, pace), env).ended).rejects.toThrow(
      /nobody can be asked here .* nothing was sent; give --yes if it is one\.$/,
    )
    await expect(
      startActHere((io) => runLearn({ out, yes: true, wait: 1 }, io, pace), env).ended,
    ).rejects.toThrow(
      /is there already, so nothing was asked; give --force to replace it, or --check .* to compare with it\.$/,
    )
    writeFileSync(`${out}.other`, '{"canary"')
    await expect(
      startActHere((io) => runLearn({ check: `${out}.other`, yes: true, wait: 1 }, io, pace), env).ended,
    ).rejects.toThrow('--check must name a profile: a file of JSON that "learn" has written.')
    expect(readFileSync(out, 'utf8')).toBe(before)
    expect(gateway.requests).toHaveLength(asked)
  })

  test('settings are checked', async () => {
    const act = startActHere((io) => runLearn({ yes: true, wait: 1 }, io, pace), { GATEWAY_BASE_URL: 'x' })
    await expect(act.ended).rejects.toThrow('GATEWAY_MERCHANT_CODE is not set')
  })
})
