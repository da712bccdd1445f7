import { Console } from 'node:console'
import { Writable } from 'node:stream'
import pino from 'pino'
import { describe, expect, it, vi } from 'vitest'
import type { GatewayLogger } from '../../../src/index.js'
import { accept, found, handMadeGateway, json, text } from '../../faults/servers.js'
import { clientOf, create, failure } from '../../faults/support.js'
import { turns } from '../../support/turns.js'
import { keepingLogger, shown } from './support.js'

/** A stream that keeps what is written to it. */
function keepingStream() {
  let said = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      said += String(chunk)
      done()
    },
  })
  return { stream, lines: () => said.trim().split('\n') }
}

const nothing = () => {}

describe('a log', () => {
  it('has no line for a call that went well, unless it shows those for debug', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    const { logger, lines } = keepingLogger()
    await using client = clientOf(gateway.url, 'undici', { logger })
    await create(client, 'payout')
    expect(shown(lines)).toEqual([])
    expect(
      lines.map((line) =>
        // The client's own tokens are asked for up to a minute less, so that no two requests are equal.
        line
          .replace(/\(good for (?:8[4-9]\d|900) s\)/, '(good for n s)')
          .replace(/\d+ ms/g, 'n ms')
          .replace(/, (?:n ms of it|after n ms) for a (?:token|permit)/g, ''),
      ),
    ).toEqual([
      'debug merchant-gateway: tokens.mint: POST /auth-tokens attempt 1 answered (status_200, n ms)',
      'debug merchant-gateway: tokens.mint succeeded (1 attempt, n ms) status=200',
      'debug merchant-gateway: token for payouts minted (good for n s)',
      'debug merchant-gateway: payouts.create: POST /payouts/{idPayout} attempt 1 answered (status_200, n ms)',
      'debug merchant-gateway: payouts.create succeeded (1 attempt, n ms) outcome=accepted replayed=false status=200 idPayout=order-1',
    ])
  })

  it.each([
    ['was slow', { create: [accept] }, { slowCallMs: 1 }, /^warn .*payouts.create succeeded slowly/],
    [
      'was made before',
      { create: [json(409, {})], lookUp: [json(200, found('payout'))] },
      {},
      /^warn .*payouts.create succeeded \(2 attempts.* replayed=true/,
    ],
  ])('has one line for a call that %s', async (_name, script, options, line) => {
    await using gateway = await handMadeGateway(script)
    const { logger, lines } = keepingLogger()
    await using client = clientOf(gateway.url, 'undici', { logger, ...options })
    await create(client, 'payout').catch(nothing)
    const ofCreate = shown(lines).filter((one) => one.includes('payouts.create'))
    expect(ofCreate).toHaveLength(1)
    expect(ofCreate[0]).toMatch(line)
  })

  it('may be pino, with whatever the gateway says', async () => {
    const said = { message: '100%s %d %j %% {"level":60}\nx' }
    await using gateway = await handMadeGateway({ create: [json(422, said)] })
    const { stream, lines } = keepingStream()
    await using client = clientOf(gateway.url, 'undici', { logger: pino({ level: 'info' }, stream) })
    const error = await failure(create(client, 'payout'))
    expect(lines()).toHaveLength(1)
    const { level, msg } = JSON.parse(lines()[0] ?? '')
    expect(level).toBe(50)
    expect(msg).toContain(error.message)
    expect(msg).toContain('100%s %d %j %% {"level":60} x')
  })

  it('has what can be searched for in fields of pino, and of its children, and not in the sentence', async () => {
    await using gateway = await handMadeGateway({ create: [text(503, ''), accept] })
    const { stream, lines } = keepingStream()
    const logger = pino({ level: 'debug', base: null, timestamp: false }, stream).child({ shop: 'prague' })
    await using client = clientOf(gateway.url, 'undici', { logger })
    await create(client, 'payout')
    const written = lines().map((line) => JSON.parse(line))
    expect(written.every(({ shop, event }) => shop === 'prague' && /^merchant-gateway:/.test(event))).toBe(
      true,
    )
    expect(written.filter(({ level }) => level > 20)).toEqual([
      {
        level: 40,
        shop: 'prague',
        event: 'merchant-gateway:call:end',
        call: 'payouts.create',
        outcome: 'accepted',
        replayed: false,
        status: 200,
        idPayout: 'order-1',
        attempts: 2,
        durationMs: expect.any(Number),
        waitedForPermitMs: expect.any(Number),
        waitedForTokenMs: expect.any(Number),
        msg: expect.stringMatching(/^merchant-gateway: payouts\.create succeeded \(2 attempts, [^)]*\)$/),
      },
    ])
    expect(written).toContainEqual(
      expect.objectContaining({ token: 'minted', scope: 'payouts', lifetimeMs: expect.any(Number) }),
    )
    expect(written).toContainEqual(
      expect.objectContaining({
        attempt: 2,
        retryReason: 'status_503',
        attemptOutcome: 'answered',
        status: 200,
      }),
    )
  })

  it('has one text and no fields for a logger that has children but is not as pino', async () => {
    await using gateway = await handMadeGateway({ create: [json(422, {})] })
    const calls: unknown[][] = []
    const write = (...given: unknown[]) => void calls.push(given)
    const logger = { debug: nothing, info: write, warn: write, error: write, child: () => logger }
    await using client = clientOf(gateway.url, 'undici', { logger })
    await failure(create(client, 'payout'))
    expect(calls).toEqual([[expect.stringMatching(/ code=invalid_request .* idPayout=order-1$/)]])
  })

  it('may be a console', async () => {
    await using gateway = await handMadeGateway({ create: [json(422, { message: '100%s %d\nx %%' })] })
    const { stream, lines } = keepingStream()
    const { stream: dropped } = keepingStream()
    const logger = new Console({ stdout: dropped, stderr: stream })
    await using client = clientOf(gateway.url, 'undici', { logger })
    await failure(create(client, 'payout'))
    expect(lines()).toEqual([expect.stringContaining('("message: 100%s %d x %%")')])
  })

  it('may be an object of a class, whose methods want their this', async () => {
    class Log implements GatewayLogger {
      readonly #lines: string[] = []
      get lines() {
        return this.#lines
      }
      debug() {}
      info() {}
      warn() {}
      error(line: string) {
        this.#lines.push(line)
      }
    }
    await using gateway = await handMadeGateway({ create: [json(422, {})] })
    const logger = new Log()
    await using client = clientOf(gateway.url, 'undici', { logger })
    await failure(create(client, 'payout'))
    expect(logger.lines).toHaveLength(1)
  })
})

it('a logger that throws, as one whose disk is full does, changes nothing', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const write = vi.fn(() => {
    throw new Error('disk full')
  })
  const logger: GatewayLogger = { debug: write, info: write, warn: write, error: write }
  await using gateway = await handMadeGateway({ create: [text(503, ''), accept] })
  await using client = clientOf(gateway.url, 'undici', { logger })
  await expect(create(client, 'payout')).resolves.toMatchObject({ replayed: false })
  await turns()
  process.off('unhandledRejection', unhandled)
  expect(write).toHaveBeenCalled()
  expect(unhandled).not.toHaveBeenCalled()
})
