import fs, {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { listen, policySigner, verifyLog } from '../src/index.js'
import { tokenBucket } from '../src/token-bucket.js'
import { logEntries } from '../src/verify-log.js'
import { basePolicy, heist, limits } from './thief.js'

/** What the policy allows in a day, in EUR. */
const cap = 1000

/** Whoever holds the socket has tokens of 500 EUR signed for so many ids, and spends what comes. */
const stealAll = async ({ thief }: Awaited<ReturnType<typeof heist>>, ids: number, name = 'id') => {
  for (let n = 0; n < ids; n++) await thief.steal({ id: `${name}-${n}`, amount: 500 })
}

describe('whoever has the socket and not the key', () => {
  test('gets what the policy allows in a day, and not a cent more', async () => {
    await using scene = await heist()
    await stealAll(scene, 60)
    expect(scene.thief.loot()).toBe(cap)
    expect(await scene.thief.steal({ id: 'one-more', amount: 0.01 })).toBe('most-in-day')
  })

  test('can send no other amount than the token says', async () => {
    await using scene = await heist()
    const token = await scene.thief.token(scene.thief.requestFor({ id: 'w-1', amount: 10 }))
    expect(await scene.thief.pay(token, { id: 'w-1', amount: 5000 })).toBe(403)
    expect(await scene.thief.pay(token, { id: 'w-1', amount: 10, currencyCode: 'USD' })).toBe(403)
    expect(scene.thief.loot() + scene.thief.loot('USD')).toBe(0)
  })

  test('can have no other bytes than the signed ones taken', async () => {
    await using scene = await heist()
    const body = scene.thief.requestFor({ id: 'w-1', amount: 10 })
    expect(await scene.thief.token(body, Buffer.from(body.replace('"amount":10', '"amount":99')))).toBe('401')
  })

  test.each([
    'POST /payouts/.*',
    'POST /payouts/w-.',
    'POST /payouts/(w-1|w-2)',
    'POST /payouts/w-1|/payouts/w-2',
    'POST /payouts/w-[0-9]',
    'POST /payouts/w\\d',
    'POST /.*',
    'POST /payouts/w%2D1',
    'POST /payouts/\\w-1',
    'POST /payouts/',
    'POST /payouts/!all',
    'POST /payouts/../payouts/w-1',
    'POST  /payouts/w-1',
    'post /payouts/w-1',
    'PUT /payouts/w-1',
    'POST /payins/.*|/payouts/.*',
    'POST /payins/.*',
  ])('gets no token for the operation %s', async (operation) => {
    await using scene = await heist()
    const { thief } = scene
    const money = { amount: 1, currencyCode: 'EUR' }
    const tokens = [
      await thief.token(thief.request({ operations: [operation], money })),
      await thief.token(thief.request({ operations: [operation] })),
      await thief.token(thief.request({ operations: ['GET /balances', operation] })),
    ]
    for (const token of tokens) expect(token).toMatch(/^(?:operations|payout-limit)$/)
    expect(thief.loot()).toBe(0)
  })

  test('gets no token for two payouts of one sum', async () => {
    await using scene = await heist()
    const { thief } = scene
    const operations = ['POST /payouts/w-1', 'POST /payouts/w-2']
    const token = await thief.token(
      thief.request({ operations, money: { amount: 500, currencyCode: 'EUR' } }),
    )
    expect(token).toBe('payout-limit')
  })

  test('gets a token for an id with characters of patterns, and it opens no other id', async () => {
    await using scene = await heist()
    const { thief } = scene
    const token = await thief.token(
      thief.request({ operations: ['POST /payouts/w\\.1'], money: { amount: 5, currencyCode: 'EUR' } }),
    )
    expect(await thief.pay(token, { id: 'w-1', amount: 5 })).toBe(403)
    expect(await thief.pay(token, { id: 'w.1', amount: 5 })).toBe(200)
    expect(thief.loot()).toBe(5)
  })

  test('makes no payout with a token to create a payin of the same id', async () => {
    await using scene = await heist()
    const { thief } = scene
    const token = await thief.token(thief.request({ action: 'PAYIN_CREATE', idPayment: 'w-1' }))
    expect(await thief.pay(token, { id: 'w-1', amount: 500 })).toBe(403)
    expect(await thief.token(thief.request({ action: 'PAYOUT_CREATE', idPayment: 'w-1' }))).toBe('operations')
    expect(thief.loot()).toBe(0)
  })

  test.each(['eur', 'EURO', 'EUR ', 'ＥＵＲ', '', 'USD', '__proto__'])(
    'gets nothing in the currency %j',
    async (code) => {
      await using scene = await heist()
      expect(await scene.thief.steal({ id: 'w-1', amount: 1, currencyCode: code })).toMatch(
        /^(?:unreadable|currency)$/,
      )
    },
  )

  test.each([
    '1e3',
    '1E3',
    '1e-7',
    '1e21',
    '10.00',
    '0.1000000000000000055511151231257827',
    '100000000000000000000000000000',
    '499.999999999999999999999999999999',
    '123456789.1234567',
    '0',
    '-5',
    '"5"',
    '5.0',
    '05',
  ])('gets no token for an amount that is written %s', async (amount) => {
    await using scene = await heist()
    const body = scene.thief.requestFor({ id: 'w-1', amount: 777 }).replace('777', amount)
    expect(await scene.thief.token(body)).toBe('unreadable')
  })

  test.each<readonly [string, (body: string) => string]>([
    ['a key twice', (body) => body.replace('{"amount":10', '{"amount":10,"amount":900')],
    [
      'a key twice, escaped',
      (body) => body.replace('"money"', '"\\u006doney":{"amount":900,"currencyCode":"EUR"},"money"'),
    ],
    [
      'a field that the client does not write',
      (body) => body.replace('"timestamp"', '"general":true,"timestamp"'),
    ],
    ['a prototype', (body) => body.replace('"timestamp"', '"__proto__":{"secret":1},"timestamp"')],
    [
      'another order',
      (body) => body.replace(/^\{("merchantCode":"[^"]*"),/, '{').replace(/\}$/, ',"merchantCode":"x"}'),
    ],
    ['spaces', (body) => body.replace(':10', ': 10')],
    ['a line behind it', (body) => `${body}\n`],
    ['a mark before it', (body) => `\ufeff${body}`],
    ['no money', (body) => body.replace(/"money":\{[^}]*\},/, '')],
    [
      'operations and an action',
      (body) => body.replace('"money"', '"action":"PAYIN_INFO","idPayment":"x","money"'),
    ],
    ['sixteen thousand bytes', (body) => body.replace('w-1', 'w'.repeat(17_000))],
  ])('gets no token by a body with %s', async (_, change) => {
    await using scene = await heist()
    const { thief } = scene
    expect(await thief.token(change(thief.requestFor({ id: 'w-1', amount: 10 })))).toMatch(
      /^(?:unreadable|operations|payout-limit|no signature)$/,
    )
    expect(thief.loot()).toBe(0)
  })

  test('gets no token that lives long, is of tomorrow, or is of another merchant', async () => {
    await using scene = await heist()
    const { thief, sandbox } = scene
    const body = thief.requestFor({ id: 'w-1', amount: 10 })
    expect(await thief.token(body.replace(/"validitySecs":\d+/, '"validitySecs":86400'))).toBe('validity')
    expect(await thief.token(body.replace(/"merchantCode":"[^"]+"/, '"merchantCode":"another"'))).toBe(
      'merchant',
    )
    const tomorrow = String(Math.floor(sandbox.clock.now() / 1000) + 86_400)
    expect(await thief.token(body.replace(/"timestamp":\d+/, `"timestamp":${tomorrow}`))).toBe('timestamp')
  })

  test('gets nothing by having the same request signed and taken again', async () => {
    await using scene = await heist()
    const { thief } = scene
    const body = thief.requestFor({ id: 'w-1', amount: 400 })
    for (let n = 0; n < 20; n++) await thief.pay(await thief.token(body), { id: 'w-1', amount: 400 })
    expect(thief.loot()).toBe(400)
    // All of it counted once.
    expect(await thief.steal({ id: 'w-2', amount: 500 })).toBe(200)
    expect(thief.loot()).toBe(900)
  })

  test('gets the greatest amount of one id at most, whichever of its tokens is used', async () => {
    await using scene = await heist()
    const { thief } = scene
    const small = await thief.token(thief.requestFor({ id: 'w-1', amount: 100 }))
    const great = await thief.token(thief.requestFor({ id: 'w-1', amount: 500 }))
    await thief.token(thief.requestFor({ id: 'w-1', amount: 100 }))
    expect(await thief.token(thief.requestFor({ id: 'w-2', amount: 500 }))).toContain('.')
    expect(await thief.token(thief.requestFor({ id: 'w-3', amount: 1 }))).toBe('most-in-day')
    expect([
      await thief.pay(great, { id: 'w-1', amount: 500 }),
      await thief.pay(small, { id: 'w-1', amount: 100 }),
    ]).toEqual([200, 409])
  })

  test('gets no more at the cap by asking a hundred times at once', async () => {
    await using scene = await heist()
    const ids = Array.from({ length: 100 }, (_, n) => `race-${n}`)
    await Promise.all(ids.map((id) => scene.thief.steal({ id, amount: 300 })))
    expect(scene.thief.loot()).toBe(900)
  })

  test('can gather requests for days and spend no more in one of them', async () => {
    await using scene = await heist()
    const { thief, sandbox } = scene
    const kept: { body: string; signature: Uint8Array; id: string }[] = []
    for (let day = 0; day < 4; day++) {
      for (const id of [`d${day}-1`, `d${day}-2`]) {
        const body = thief.requestFor({ id, amount: 500 })
        const signature = await thief.sign(body)
        if (typeof signature !== 'string') kept.push({ body, signature, id })
      }
      await sandbox.clock.advance(25 * 3_600_000)
    }
    expect(kept).toHaveLength(8)
    for (const { body, signature, id } of kept) {
      await thief.pay(await thief.exchange(body, signature), { id, amount: 500 })
      // The ids of the days before are no way around the count of today.
      await thief.steal({ id, amount: 500 })
    }
    expect(thief.loot()).toBe(cap)
  })

  test('can hold a request back until the window has nearly passed, and spends no more in any day', async () => {
    await using scene = await heist()
    const { thief, sandbox } = scene
    const body = thief.requestFor({ id: 'w-0', amount: 500 })
    const signature = await thief.sign(body)
    await thief.steal({ id: 'w-1', amount: 500 })
    await sandbox.clock.advance(299_000)
    if (typeof signature === 'string') throw new Error(signature)
    const late = await thief.exchange(body, signature)
    await sandbox.clock.advance(800_000)
    const from = sandbox.clock.now()
    expect(await thief.pay(late, { id: 'w-0', amount: 500 })).toBe(200)
    // A day after the requests, and less than a day after the payout.
    await sandbox.clock.advance(86_400_000 - 300_000)
    expect(sandbox.clock.now() - from).toBeLessThan(86_400_000)
    expect(await thief.steal({ id: 'w-2', amount: 500 })).toBe('most-in-day')
  })

  test('gains nothing by a clock that is turned back', async () => {
    await using scene = await heist({ policy: { hours: { from: '00:00', to: '23:59' } } })
    await stealAll(scene, 4)
    for (const ms of [61_000, 3_600_000, 40 * 86_400_000]) {
      scene.turnBack(ms)
      expect(await scene.thief.steal({ id: `back-${ms}`, amount: 1 })).toBe('clock')
    }
    await scene.restart()
    expect(await scene.thief.steal({ id: 'back-again', amount: 1 })).toBe('clock')
    scene.turnBack(0)
    expect(await scene.thief.steal({ id: 'right', amount: 1 })).toBe('most-in-day')
    expect(scene.thief.loot()).toBe(cap)
  })

  test('gains nothing when the signer is started anew', async () => {
    await using scene = await heist()
    await stealAll(scene, 1)
    await scene.restart()
    await stealAll(scene, 5, 'later')
    expect(scene.thief.loot()).toBe(cap)
  })

  test('can flood the socket with connections, and gets no more by it', async () => {
    await using scene = await heist()
    const idle = Array.from({ length: 200 }, () => connect(scene.socket).on('error', () => {}))
    await stealAll(scene, 5)
    for (const socket of idle) socket.destroy()
    await stealAll(scene, 5, 'after')
    expect(scene.thief.loot()).toBe(cap)
  })

  test('gets a hundred answers at once, and twenty a second from then on', () => {
    let nowMs = 0
    const mayAsk = tokenBucket(20, 100, () => nowMs)
    const answered = () => Array.from({ length: 500 }, mayAsk).filter(Boolean).length
    expect(answered()).toBe(100)
    nowMs += 1000
    expect(answered()).toBe(20)
  })

  test('gains nothing by policies that are changed after the start', async () => {
    const policy = { ...basePolicy, payouts: { EUR: { ...limits } } }
    await using scene = await heist({ policy })
    policy.payouts.EUR.mostInDay = '1000000'
    policy.payouts.EUR.mostInHour = '1000000'
    await stealAll(scene, 10)
    expect(scene.thief.loot()).toBe(cap)
  })
})

describe('a log', () => {
  test('that is full refuses, and goes on when there is room', async () => {
    await using scene = await heist()
    await stealAll(scene, 1)
    const { writeSync } = fs
    const full = vi.spyOn(fs, 'writeSync')
    full.mockImplementationOnce((fd, bytes) => writeSync(fd, String(bytes).slice(0, 40)))
    full.mockImplementationOnce(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    })
    syncBuiltinESMExports()
    try {
      expect(await scene.thief.steal({ id: 'full', amount: 1 })).toBe('log')
      expect(full).toHaveBeenCalledTimes(2)
    } finally {
      full.mockRestore()
      syncBuiltinESMExports()
    }
    expect(scene.thief.loot()).toBe(500)
    await stealAll(scene, 5, 'again')
    expect(scene.thief.loot()).toBe(cap)
    expect(await verifyLog(scene.log)).toMatchObject({ ok: true })
  })

  test('that a failing disk may not have lets no signature out, and counts what it may have', async () => {
    await using scene = await heist()
    const file = await open(scene.log)
    const failing = vi
      .spyOn(Object.getPrototypeOf(file), 'datasync')
      .mockRejectedValueOnce(new Error('EIO: i/o error'))
    await file.close()
    try {
      expect(await scene.thief.steal({ id: 'lost', amount: 1 })).toBe('log')
      expect(await scene.thief.steal({ id: 'next', amount: 1 })).toBe('log')
      expect(failing).toHaveBeenCalledOnce()
    } finally {
      failing.mockRestore()
    }
    await scene.stop()
    await scene.restart()
    await stealAll(scene, 5)
    expect(scene.thief.loot()).toBe(500)
  })

  test('that a failing disk may not have lets none of two decisions out: a system tells of it once', async () => {
    await using scene = await heist()
    const file = await open(scene.log)
    const failing = vi.spyOn(Object.getPrototypeOf(file), 'datasync').mockImplementationOnce(async () => {
      await vi.waitFor(() => expect(scene.signer.head.lines).toBe(3), { interval: 1 })
      throw new Error('EIO: i/o error')
    })
    await file.close()
    try {
      const both = ['one', 'other'].map((id) => scene.thief.steal({ id, amount: 1 }))
      expect(await Promise.all(both)).toEqual(['log', 'log'])
    } finally {
      failing.mockRestore()
    }
  })

  test.each<readonly [string, (log: string, text: string) => void]>([
    ['cut short', (log, text) => truncateSync(log, text.length - 40)],
    ['emptied', (log) => truncateSync(log, 0)],
    ['longer', (log) => appendFileSync(log, '{}\n')],
    ['moved away, as programs that rotate logs do,', (log) => renameSync(log, `${log}.1`)],
  ])('that was %s under a signer is not believed', async (_, change) => {
    await using scene = await heist()
    await stealAll(scene, 2)
    change(scene.log, readFileSync(scene.log, 'utf8'))
    expect(await scene.thief.sign('{}')).toBe('log')
    expect(scene.thief.loot()).toBe(cap)
  })

  test.each<readonly [string, (lines: readonly string[]) => readonly string[]]>([
    ['an amount changed', (lines) => lines.map((line) => line.replace('"amount":"500"', '"amount":"5"'))],
    ['a line taken away', ([first = '', , ...rest]) => [first, ...rest]],
    ['two lines exchanged', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]],
    ['its first line taken away', (lines) => lines.slice(1)],
    ['a refusal made an approval', (lines) => lines.map((line) => line.replace('"refused"', '"allowed"'))],
  ])('with %s shows it, and no signer starts over it', async (_, change) => {
    await using scene = await heist()
    await stealAll(scene, 4)
    await scene.stop()
    const lines = readFileSync(scene.log, 'utf8').trimEnd().split('\n')
    expect(await verifyLog(scene.log)).toMatchObject({ ok: true, lines: 5 })
    writeFileSync(scene.log, `${change(lines).join('\n')}\n`)
    const found = await verifyLog(scene.log)
    expect(found).toMatchObject({ ok: false, why: expect.stringMatching(/changed or taken away/) })
    await expect(scene.startSigner()).rejects.toThrow(/changed or taken away/)
  })

  test('with its end taken away shows it beside a hash that was kept elsewhere', async () => {
    await using scene = await heist()
    await stealAll(scene, 2)
    const { hash } = scene.signer.head
    await scene.stop()
    expect(await verifyLog(scene.log, hash)).toMatchObject({ ok: true, hash })
    const lines = readFileSync(scene.log, 'utf8').trimEnd().split('\n')
    writeFileSync(scene.log, `${lines.slice(0, -1).join('\n')}\n`)
    expect(await verifyLog(scene.log)).toMatchObject({ ok: true })
    expect(await verifyLog(scene.log, hash)).toMatchObject({ ok: false })
    writeFileSync(scene.log, '')
    expect(await verifyLog(scene.log)).toMatchObject({ ok: false, line: 1 })
  })

  test('of five megabytes is read to its end, where an approval looks for its payout', async () => {
    await using scene = await heist()
    const file = join(scene.folder, 'long.log')
    const line = (n: number) =>
      JSON.stringify({ n, at: 1, did: 'refused', id: `w-${n}`, prev: 'x'.repeat(500) })
    writeFileSync(file, `${Array.from({ length: 10_000 }, (_, n) => line(n)).join('\n')}\n{"n":`)
    const ids: (string | undefined)[] = []
    for await (const { id } of logEntries(file)) ids.push(id)
    expect([ids.length, ids.at(-1)]).toEqual([10_000, 'w-9999'])
  })

  test('of which a crash left half a line goes on behind the last whole one', async () => {
    await using scene = await heist()
    await stealAll(scene, 1)
    await scene.stop()
    appendFileSync(scene.log, '{"n":3,"at":17')
    expect(await verifyLog(scene.log)).toMatchObject({ ok: true, lines: 2, unfinished: true })
    await scene.restart()
    await stealAll(scene, 5, 'after')
    expect(scene.thief.loot()).toBe(cap)
    expect(await verifyLog(scene.log)).toMatchObject({ ok: true, unfinished: false })
  })

  test('that is a file of something else is left as it is, and one that a crash left at its first line begins anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signer-'))
    const log = join(folder, 'policy.json')
    writeFileSync(log, '{"policyVersion":1}')
    await expect(heist({ log })).rejects.toThrow(/a file of something else/)
    expect(readFileSync(log, 'utf8')).toBe('{"policyVersion":1}')
    for (const piece of ['{"n', '{"n":1,"at":17', '\0\0']) {
      writeFileSync(log, piece)
      await using scene = await heist({ log })
      expect(scene.signer.head.lines).toBe(1)
    }
    rmSync(folder, { recursive: true })
  })

  test('is written by one signer: a second one over it does not start', async () => {
    await using scene = await heist()
    await expect(scene.startSigner()).rejects.toThrow(/another signer writes to/)
    symlinkSync(scene.log, join(scene.folder, 'other.log'))
    await expect(heist({ log: join(scene.folder, 'other.log') })).rejects.toThrow(/can't be used/)
  })
})

describe('in the place of the socket', () => {
  test('a link, a file or a signer that listens keeps another one from starting', async () => {
    await using scene = await heist()
    const link = join(scene.folder, 'link.sock')
    symlinkSync(scene.socket, link)
    await expect(listen(scene.signer, { socket: link })).rejects.toThrow(/is a link/)
    const file = join(scene.folder, 'file.sock')
    writeFileSync(file, '')
    await expect(listen(scene.signer, { socket: file })).rejects.toThrow(/no socket/)
    await expect(listen(scene.signer, { socket: scene.socket })).rejects.toThrow(
      /listened at by another signer/,
    )
  })
})

describe('at a port', () => {
  const token = 'a-token-of-32-characters-or-more'
  const bytes = Buffer.from('{}')

  test('only whoever shows the token is told what the policy says', async () => {
    await using scene = await heist()
    await using server = await listen(scene.signer, { port: 0, token })
    const { port = 0 } = server
    const ruleOf = policySigner({ port, token }).sign(bytes)
    await expect(ruleOf).rejects.toMatchObject({ rule: 'unreadable' })
    for (const wrong of ['a', `${token}-`]) {
      const answer = policySigner({ port, token: wrong }).sign(bytes)
      await expect(answer).rejects.toThrow(/the token is not the one/)
    }
    await expect(listen(scene.signer, { port: 0, token: 'short' })).rejects.toThrow(/32 characters/)
  })

  test.each<readonly [string, string]>([
    ['no JSON', 'POST /sign HTTP/1.1\n'],
    ['no number', `{"token":"${token}","bytes":"e30="}\n`],
    ['no token', '{"n":1,"bytes":"e30="}\n'],
    ['a line without an end', 'a'.repeat(40_000)],
  ])('%s is answered with no signature, and the next question all the same', async (_, text) => {
    await using scene = await heist()
    await using server = await listen(scene.signer, { port: 0, token })
    const { port = 0 } = server
    const connection = connect(port, '127.0.0.1').on('error', () => {})
    connection.write(text)
    const answer = await new Promise((resolve) =>
      connection.once('data', (chunk) => resolve(String(chunk))).once('close', () => resolve('')),
    )
    expect(answer).toMatch(/^(?:\{"n":1,"failure":"[^"]*"\}\n)?$/)
    connection.destroy()
    await expect(policySigner({ port, token }).sign(bytes)).rejects.toMatchObject({ rule: 'unreadable' })
  })
})

test('a client waits no longer than it was told for a signer that does not answer', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const late = policySigner({ port, token: 'x', timeoutMs: 20 }).sign(Buffer.from('{}'))
  // By this name its sentence is in that of the client's error.
  await expect(late).rejects.toMatchObject({
    name: 'SignerUnreachableError',
    message: expect.stringContaining('the signer gave no answer in 20 ms (timeoutMs)'),
  })
  silent.close()
})

/** What a client says when a signer, or who stands in its place, answers so. */
async function saidOf(folder: string, answer: string | undefined): Promise<string> {
  const socket = join(folder, 'other.sock')
  const other = createServer((connection) => {
    if (answer === undefined) connection.destroy()
    else connection.once('data', () => connection.end(answer))
  })
  await new Promise<void>((resolve) => other.listen(socket, resolve))
  const said = await policySigner({ socket }).sign(Buffer.from('{}')).then(String, String)
  await new Promise((resolve) => other.close(resolve))
  return said
}

test('a client writes nothing into a log that is not to be seen there, whoever answers it', async () => {
  await using scene = await heist()
  for (const answer of [{ rule: 'busy', why: 'a\n\u001b[31mb\u202e' }, { failure: 'a\n\u001b[31mb\u202e' }]) {
    const said = await saidOf(scene.folder, `${JSON.stringify({ n: 1, ...answer })}\n`)
    expect(said).toContain(String.raw`a\u000a\u001b[31mb\u202e`)
  }
})

test('a client says in words that its connection was closed, whenever that was', async () => {
  await using scene = await heist()
  expect(await saidOf(scene.folder, undefined)).toMatch(/closed/)
})

describe('approvals and ids', () => {
  const uid = process.getuid?.() ?? 0
  const files = (folder: string) => ({ approvals: join(folder, 'approvals'), ids: join(folder, 'ids') })

  test('that the signer could write itself keep it from starting', async () => {
    await expect(heist({ policy: { approvals: { file: '/nowhere', uid } } })).rejects.toThrow(
      /user that the signer runs as/,
    )
  })

  test('of a file that others may write, or that is a link, are not believed', async () => {
    await using outside = await heist()
    const { ids } = files(outside.folder)
    await using scene = await heist({ policy: { ids } })
    const { thief } = scene
    expect(await thief.steal({ id: 'w-1', amount: 1 })).toBe('file')
    writeFileSync(ids, 'w-1\nw-2\t20.00\tEUR\nw-3\t1e9\tEUR\nw-4')
    expect(await thief.steal({ id: 'w-1', amount: 1 })).toBe(200)
    expect(await thief.steal({ id: 'w-2', amount: 21 })).toBe('ids')
    expect(await thief.steal({ id: 'w-2', amount: 20 })).toBe(200)
    // No whole line yet, a line that can't be read, and an id that nobody wrote.
    for (const id of ['w-3', 'w-4', 'invented']) expect(await thief.steal({ id, amount: 1 })).toBe('ids')
    appendFileSync(ids, '\n')
    expect(await thief.steal({ id: 'w-4', amount: 1 })).toBe(200)
    chmodSync(ids, 0o666)
    expect(await thief.steal({ id: 'w-1', amount: 1 })).toBe('file')
    expect(thief.loot()).toBe(22)
  })

  test.each<readonly [string, (file: string) => void, RegExp]>([
    ['was cut short', (file) => truncateSync(file, 2), /^\S+ids can't be believed: it was cut short/],
    [
      'was replaced',
      (file) => {
        renameSync(file, `${file}.before`)
        writeFileSync(file, 'w-1\nw-2\n')
      },
      /^\S+ids can't be believed: it was replaced/,
    ],
    [
      'has no lines but a heap of bytes',
      (file) => appendFileSync(file, Buffer.alloc(200_000)),
      /^\S+ids can't be believed: one of its lines is too long/,
    ],
  ])('of a file that %s are not believed, and the refusal names the file', async (_, change, why) => {
    await using outside = await heist()
    const { ids } = files(outside.folder)
    writeFileSync(ids, 'w-1\n')
    await using scene = await heist({ policy: { ids } })
    expect(await scene.thief.steal({ id: 'w-1', amount: 1 })).toBe(200)
    change(ids)
    const asked = policySigner({ socket: scene.socket }).sign(
      Buffer.from(scene.thief.requestFor({ id: 'w-2', amount: 1 })),
    )
    await expect(asked).rejects.toMatchObject({ rule: 'file', message: expect.stringMatching(why) })
  })

  test('of a list of five megabytes are all known', async () => {
    await using outside = await heist()
    const { ids } = files(outside.folder)
    const lines = Array.from({ length: 200_000 }, (_, n) => `w-${n}\t${n}.50\tEUR\n`)
    writeFileSync(ids, lines.join(''))
    await using scene = await heist({ policy: { ids } })
    expect(await scene.thief.steal({ id: 'w-199999', amount: 5 })).toBe('ids')
    for (const n of [0, 77, 320]) expect(await scene.thief.steal({ id: `w-${n}`, amount: n + 0.5 })).toBe(200)
  })
})
