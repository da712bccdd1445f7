import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { buildConnector, Pool } from 'undici'
import type { CallOptions, GatewayClient, Outcome } from '../../src/index.js'
import type { SomeOptions } from '../support/client-options.js'
import { turns, until } from '../support/turns.js'
import { anyToken, found, handMadeGateway, json, type Script, stall, stallBody } from './servers.js'
import { clientOf, create, type TransportName } from './support.js'

export type StageOptions = CallOptions & { readonly maxWaitMs?: number }

/** Where a payout stands when something ends it. */
export interface Stage {
  readonly name: string
  readonly script?: Script
  /** What hangs before anything is on the wire; it says when it does. */
  readonly options?: (reached: () => void, url: string) => SomeOptions
  /** How many requests have been answered or hang when the stage is reached; absent where `options` tells. */
  readonly requests?: number
  /** Nothing listens here: connections are neither made nor refused. */
  readonly deaf?: true
  readonly run?: (client: GatewayClient, options: StageOptions) => Promise<unknown>
  readonly outcome: Outcome | undefined
  /** What ends it by itself, with a TimeoutError where nothing else is said. */
  readonly limit: StageOptions
  readonly limited?: 'WaitTimeoutError'
  /** Whether a closing client lets it come to its end: it is on the wire. */
  readonly finishes?: true | undefined
}

function hang(reached: () => void): Promise<never> {
  reached()
  return new Promise(() => {})
}

const wait: Stage['run'] = (client, { signal, maxWaitMs = 60_000 }) =>
  client.payouts.waitFor('order-1', { maxWaitMs, signal })

const soon = { deadlineMs: 200 }
const once = { timeoutMs: 200, retries: 0 }

/** Where something hangs before anything of the payout is on the wire. */
const hanging = (name: string, options: Stage['options']): Stage => ({
  ...{ name, limit: soon, outcome: 'not-accepted' },
  ...(options && { options }),
})

/** Where the gateway has got so many requests, and the last one hangs. */
const answering = (name: string, requests: number, script: Script, more: Partial<Stage>): Stage => ({
  ...{ name, requests, script, limit: once, outcome: 'unknown', finishes: true },
  ...more,
})

const waiting = {
  run: wait,
  outcome: undefined,
  limit: { maxWaitMs: 600 },
  limited: 'WaitTimeoutError',
} as const
const minting = { outcome: 'not-accepted', limit: soon } as const
const onlyWaits = { finishes: undefined }

export const stages: readonly Stage[] = [
  hanging('a permit for its token', (reached) => ({ rateLimit: { acquire: () => hang(reached) } })),
  hanging('a permit of its own', (reached) => {
    let permits = 0
    return { rateLimit: { acquire: () => (permits++ === 0 ? undefined : hang(reached)) } }
  }),
  hanging('a signature', (reached) => ({ signer: { sign: () => hang(reached) } })),
  answering('a token', 1, { token: [stall] }, minting),
  answering('a token whose response stalls', 1, { token: [stallBody()] }, minting),
  answering('the headers', 2, { create: [stall] }, {}),
  answering('the body', 2, { create: [stallBody()] }, {}),
  answering(
    'the next attempt',
    2,
    { create: [json(500, {}, { 'retry-after': '0.2' }), stall] },
    { limit: { timeoutMs: 200, retries: 1 }, ...onlyWaits },
  ),
  answering(
    'the lookup after a 409',
    3,
    { create: [json(409, {})], lookUp: [stall] },
    { outcome: 'accepted' },
  ),
  answering(
    'the next look of a wait',
    2,
    { lookUp: [json(200, found('payout'))] },
    { ...waiting, ...onlyWaits },
  ),
  answering('the response to a look of a wait', 2, { lookUp: [stall] }, waiting),
  { name: 'a connection for its token', deaf: true, outcome: 'not-accepted', limit: soon, finishes: true },
  {
    name: 'a connection',
    script: { token: [json(200, { token: anyToken }, { connection: 'close' })] },
    options: (reached, url) => ({
      fetch: undefined,
      dispatcher: secondHangs(url, reached),
      allowInsecureHttp: true,
    }),
    outcome: 'not-accepted',
    limit: once,
    finishes: true,
  },
]

/** A pool whose first connection is made, and no other. */
function secondHangs(url: string, reached: () => void): Pool {
  const connectIt = buildConnector({})
  let connections = 0
  return new Pool(url, {
    connect: (options, callback) => {
      if (connections++ === 0) connectIt(options, callback)
      else reached()
    },
  })
}

export interface AtStage {
  readonly client: GatewayClient
  /** The call, under way and at its stage. */
  readonly call: Promise<unknown>
  /** False where a slow machine let the call end on its way there. */
  readonly isReached: boolean
  /** How many connections the gateway holds open. */
  readonly openSockets: () => number
  end(): Promise<void>
}

/** Starts a payout and resolves when it hangs where the stage says. */
export async function bringTo(
  stage: Stage,
  transport: TransportName,
  options: StageOptions,
  clientOptions: SomeOptions = {},
): Promise<AtStage> {
  const gateway = stage.deaf === true ? await deafServer() : await handMadeGateway(stage.script ?? {})
  let isThere = false
  const hanging = stage.options?.(() => {
    isThere = true
  }, gateway.url)
  const client = clientOf(gateway.url, transport, { retries: 3, ...clientOptions, ...hanging })
  const run = stage.run ?? ((of, callOptions) => create(of, 'payout', {}, callOptions))
  const call = run(client, options)
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  call.then(end, end)
  const count = stage.requests
  const isReached = () =>
    stage.deaf === true || isThere || (count !== undefined && gateway.requests.length >= count)
  await until(() => isReached() || hasEnded)
  // What is on its way to the client arrives.
  await turns(50)
  return {
    client,
    call,
    isReached: isReached(),
    openSockets: () => gateway.sockets.size,
    async end() {
      await hanging?.dispatcher?.destroy()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

/** A port whose queue of connections is full: the next one hangs for ever. */
export async function deafServer() {
  const worker = new Worker(deafCode, { eval: true })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const sockets = new Set<Socket>()
  for (let n = 0; n < 6; n++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.add(socket)
  }
  await new Promise((resolve) => sockets.values().next().value?.once('connect', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    sockets: new Set<Socket>(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await worker.terminate()
    },
  }
}

const deafCode = `
const { createServer } = require('node:net')
const { parentPort } = require('node:worker_threads')
const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})`

/** Resolves once no more keeps the process alive than did before. */
export function untilNoMoreThan(before: Record<string, number>): Promise<void> {
  return until(() => Object.entries(handles()).every(([kind, count]) => count <= (before[kind] ?? 0)))
}

/** What keeps the process alive, by kind. */
export function handles(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
