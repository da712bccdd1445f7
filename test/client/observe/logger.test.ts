import { Console } from 'node:console'
import { Writable } from 'node:stream'
import pino from 'pino'
import { describe, expect, it, vi } from 'vitest'
import type { GatewayLogger } from '../../../src/index.js'
import { accept, handMadeGateway, json, text } from '../../faults/servers.js'
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

  it('has one line for a call that was slow', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    const { logger, lines } = keepingLogger()
    await using client = clientOf(gateway.url, 'undici', { logger, slowCallMs: 1 })
    await create(client, 'payout')
    const slow = /^warn .*payouts.create succeeded slowly/
    expect(shown(lines).filter((one) => one.includes('payouts.create'))).toEqual([
      expect.stringMatching(slow),
    ])
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
    const attempt = { attempt: 2, retryReason: 'status_503', attemptOutcome: 'answered', status: 200 }
    for (const fields of [{ token: 'minted', scope: 'payouts', lifetimeMs: expect.any(Number) }, attempt])
      expect(written).toContainEqual(expect.objectContaining(fields))
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
    await using client = clientOf(gateway.url, 'undici', {
      logger: new Console({ stdout: keepingStream().stream, stderr: stream }),
    })
    await failure(create(client, 'payout'))
    expect(lines()).toEqual([expect.stringContaining('("message: 100%s %d x %%")')])
  })

  it('may be an object of a class, whose methods want their this', async () => {
    class Log implements GatewayLogger {
      readonly #lines: string[] = []
      readonly debug = nothing
      readonly info = nothing
      readonly warn = nothing
      error(line: string) {
        this.#lines.push(line)
      }
      get count() {
        return this.#lines.length
      }
    }
    await using gateway = await handMadeGateway({ create: [json(422, {})] })
    const logger = new Log()
    await using client = clientOf(gateway.url, 'undici', { logger })
    await failure(create(client, 'payout'))
    expect(logger.count).toBe(1)
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
