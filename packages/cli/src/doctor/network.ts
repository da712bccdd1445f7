import pThrottle from 'p-throttle'

/** A response without its body, or none at all. */
export type Reply =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** What the other clock showed; absent without a `Date`. */
      readonly dateMs?: number
      readonly tookMs: number
    }
  | {
      readonly kind: 'none'
      /** Of Node or undici, or TIMEOUT. */
      readonly code: string
    }

export type Answered = Extract<Reply, { kind: 'answered' }>

export const timeoutMs = 10_000

/** Sends one request. A redirect is a response. Never rejects. */
export async function ask(
  url: string,
  init: RequestInit,
  limitMs = timeoutMs,
  fetch = globalThis.fetch,
): Promise<Reply> {
  const start = performance.now()
  try {
    const signal = AbortSignal.timeout(limitMs)
    const response = await fetch(url, { redirect: 'manual', ...init, signal })
    await response.body?.cancel()
    const dateMs = Date.parse(response.headers.get('date') ?? '')
    return {
      kind: 'answered',
      status: response.status,
      ...(Number.isNaN(dateMs) ? {} : { dateMs }),
      tookMs: performance.now() - start,
    }
  } catch (error) {
    return { kind: 'none', code: codeOf(error) }
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** All the doctor's requests to the gateway: below its rate limit, and counted where they are answered. */
export interface PacedFetch {
  /** For clients. */
  readonly fetch: typeof globalThis.fetch
  /** Asks for a path below a base path, without a token: the gateway refuses it, and so answers. */
  ask(base: URL, path: string): Promise<Reply>
  /** Sends two at once. @returns whether exactly one was refused (429); undefined when one got no answer. */
  refusesTwoAtOnce(base: URL, path: string): Promise<boolean | undefined>
  readonly counts: { readonly answered: number; readonly refused: number }
}

/** Eight a second: below ten by any way of counting, an evenly spaced one included. */
const gapMs = 125

export function pacedFetch(fetch?: typeof globalThis.fetch): PacedFetch {
  const counts = { answered: 0, refused: 0 }
  let loaded: Promise<typeof globalThis.fetch> | undefined
  // Loaded before the wait, because loading takes longer than a gap.
  const load = () => (loaded ??= fetch === undefined ? direct() : Promise.resolve(fetch))
  const turn = pThrottle({ limit: 1, interval: gapMs, strict: true })(() => {})
  const without = (base: URL, path: string, send: typeof globalThis.fetch) =>
    ask(
      `${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`,
      { headers: { accept: 'application/json', 'x-api-version': '2' } },
      timeoutMs,
      send,
    )
  return {
    counts,
    async fetch(input, init) {
      const send = await load()
      await turn()
      const response = await send(input, init)
      counts.answered++
      if (response.status === 429) counts.refused++
      return response
    },
    async ask(base, path) {
      const send = await load()
      await turn()
      const reply = await without(base, path, send)
      if (reply.kind === 'answered') counts.answered++
      if (isLimited(reply)) counts.refused++
      return reply
    },
    async refusesTwoAtOnce(base, path) {
      const send = await load()
      // A turn for each, so that with those before they make no more than ten in a second.
      await Promise.all([turn(), turn()])
      const replies = await Promise.all([without(base, path, send), without(base, path, send)])
      counts.answered += replies.filter(({ kind }) => kind === 'answered').length
      // The finding on the connection says why.
      if (replies.some(({ kind }) => kind === 'none')) return undefined
      return replies.filter(isLimited).length === 1
    },
  }
}

/** Without a proxy that the environment may name: it could read tokens. */
async function direct(): Promise<typeof globalThis.fetch> {
  const { Agent } = await import('undici')
  const dispatcher = new Agent({ pipelining: 1 })
  return (input, init) => fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }))
}

function isLimited(reply: Reply): boolean {
  return reply.kind === 'answered' && reply.status === 429
}

/** What kept a request from being answered, in words. */
export function networkProblem(code: string): string {
  return problems[code]?.[0] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`)
}

/** What can be done about it. */
export function networkRemedy(code: string): string {
  return problems[code]?.[1] ?? reachable
}

const reachable = 'Check GATEWAY_BASE_URL, and that this machine may reach it (firewall, proxy, VPN).'
const unknownAuthority = [
  'the certificate is of an authority that this machine does not know',
  'If the gateway has an authority of its own, name its certificate in NODE_EXTRA_CA_CERTS; never switch the check off.',
] as const
const noTls = ['it does not speak TLS there', 'Check the scheme and the port of GATEWAY_BASE_URL.'] as const
const late = ['nobody answered in time', reachable] as const
const cut = ['the connection was cut', reachable] as const

/** By the codes of Node, OpenSSL and undici. */
const problems: Readonly<Partial<Record<string, readonly [problem: string, remedy: string]>>> = {
  CERT_HAS_EXPIRED: [
    'the certificate has expired',
    "Check this machine's clock; if it is right, the gateway has to renew its certificate.",
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['the certificate is self-signed', unknownAuthority[1]],
  EAI_AGAIN: ['the name could not be looked up just now', reachable],
  ECONNREFUSED: [
    'nobody listens there',
    'Check the port of GATEWAY_BASE_URL; is the gateway, or the sandbox, running?',
  ],
  ECONNRESET: cut,
  EHOSTUNREACH: ['there is no way to that host', reachable],
  ENETUNREACH: ['there is no way to that network', reachable],
  ENOTFOUND: ['there is no host of that name', 'Check the host of GATEWAY_BASE_URL.'],
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'the certificate is for another host',
    'Check the host of GATEWAY_BASE_URL: the certificate names others.',
  ],
  ETIMEDOUT: late,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  TIMEOUT: late,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_SOCKET: cut,
}
