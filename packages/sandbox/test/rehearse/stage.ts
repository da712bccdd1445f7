import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayClient } from '../../../../src/index.js'
import { closedAddress, listen } from '../../../../test/support/listening.js'
import { start } from '../cli/here.js'

/** Each waits most of the time. */
export const sideBySide = { concurrent: true, timeout: 120_000 } as const

/** What a shop does; what rejects is answered 502. The number of an order is what stands in the path. */
export interface Shop {
  /** A customer, or a clerk, acts. */
  order(number: string): unknown
  /** What goes before that. */
  before?(number: string): unknown
  /** What the page of an order shows, as JSON. */
  status?(number: string): unknown
  callback?(number: string): unknown
  /** The customer comes back by the returnUrl. */
  back?(number: string): unknown
}

export interface Place {
  readonly client: GatewayClient
  /** Where the shop listens. */
  readonly url: string
}

export interface Told {
  readonly name: string
  readonly outcome: string
  readonly sentence: string
  readonly rule?: string
  readonly order?: number
  readonly payments: readonly { readonly kind: string; readonly id: string; readonly status: string }[]
  readonly history: readonly { readonly who: string; readonly text: string }[]
}

export interface Report {
  readonly kind: string
  readonly cases: readonly Told[]
  /** What is said of each case, by its name. */
  readonly sentences: Readonly<Record<string, string>>
  readonly stdout: string
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * Runs the command against a shop in this process, which listens already. It says paid by `"state":"paid"`.
 *
 * @param more options in which `{url}` is where the shop listens
 */
export async function rehearse(open: (place: Place) => Shop, more: readonly string[] = []): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'rehearse-'))
  const [publicKey, options] = [join(folder, 'public.pem'), join(folder, 'options.json')]
  writeFileSync(publicKey, keys.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(options, JSON.stringify({ rateLimit: false }))
  try {
    // Somebody else may take a port that was free: then nothing was played.
    for (;;) {
      await using shop = await serve(open, await closedAddress())
      const args = ['--json', '--public-key', publicKey, '--options', options, ...shop.args, ...more]
      const { stdout } = await start(
        ['rehearse', ...args.map((text) => text.replace('{url}', shop.url))],
        {},
        { home: folder },
      ).finished
      const { error, ...report }: Pick<Report, 'kind' | 'cases'> & { error?: { message: string } } =
        JSON.parse(stdout)
      if (error === undefined) return { ...report, sentences: sentencesOf(report), stdout }
      if (!/^Port \d+ .* is taken/.test(error.message)) throw new Error(error.message)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sentencesOf({ cases }: Pick<Report, 'cases'>): Report['sentences'] {
  const entries = cases.map(({ name, outcome, sentence }) => {
    return [name, outcome === 'wrong' ? `wrong: ${sentence}` : sentence]
  })
  return Object.fromEntries(entries)
}

async function serve(open: (place: Place) => Shop, baseUrl: string) {
  const client = new GatewayClient({
    baseUrl,
    merchantCode: 'SANDBOX-MERCHANT',
    privateKey: keys.privateKey,
    live: false,
    rateLimit: false,
    retries: 0,
  })
  const server = createServer((request, response) => {
    request.resume()
    const [, what = '', number = ''] = new URL(request.url ?? '', url).pathname.split('/')
    const { order, before, status, callback, back } = shop
    const isPost = request.method === 'POST'
    const step = { before, callback, back, orders: isPost ? order : status }[what]
    new Promise((resolve) => resolve(step?.(number))).then(
      (shown) => response.end(isPost ? '' : JSON.stringify(shown ?? {})),
      () => response.writeHead(502).end(),
    )
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const shop = open({ client, url })
  return {
    url,
    args: [
      ...['--port', new URL(baseUrl).port, '--action', `POST ${url}/orders/{n}`],
      ...(shop.before ? ['--before', `POST ${url}/before/{n}`] : []),
      ...(shop.status ? ['--status', `${url}/orders/{n}`, '--paid', 'state=paid'] : []),
      // Nobody acts again because the machine is slow.
      ...['--patience', '60'],
    ],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await client.close()
    },
  }
}
