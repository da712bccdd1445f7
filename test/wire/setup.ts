import { createSandbox, type Sandbox, type SandboxOptions } from '../../packages/sandbox/src/index.js'
import { type ClientOptions, GatewayClient } from '../../src/index.js'
import type { Certificates } from './certificates.js'
import type { ConnectionFault, WireFault } from './faults.js'
import { type WireGateway, wireGateway } from './gateway.js'

/** How the client reaches the gateway. */
export interface Way {
  readonly transport: 'undici' | 'fetch'
  readonly tls: boolean
}

export function nameOf({ transport, tls }: Way): string {
  return `${transport}, ${tls ? 'TLS' : 'plain'}`
}

/** A gateway on sockets with the sandbox behind it, and who asks it. */
export interface Setup extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly gateway: WireGateway
  client(options?: Partial<ClientOptions>): GatewayClient
}

export interface Faults {
  readonly faultOf: (request: { readonly method: string; readonly path: string }) => WireFault | undefined
  readonly connectionFault: () => ConnectionFault | undefined
}

export async function setUp(
  { transport, tls }: Way,
  certificates: Certificates,
  faults: Faults,
  options: SandboxOptions = {},
): Promise<Setup> {
  const sandbox = createSandbox({
    rateLimit: false,
    payAfterMs: false,
    magicAmounts: false,
    maxPayments: 1_000_000,
    maxLogged: 10,
    // One request for both kinds of payment.
    payinMethods: ['VAPAY', 'BANK_TRANSFER'],
    ...options,
  })
  const given = sandbox.clientOptions()
  const gateway = await wireGateway({ sandbox, certificates: tls ? certificates : undefined, ...faults })
  const clients: GatewayClient[] = []
  return {
    sandbox,
    gateway,
    client(more = {}) {
      const { merchantCode, privateKey, rateLimit } = given
      const fetch = transport === 'fetch' ? { fetch: globalThis.fetch } : {}
      const base = { baseUrl: gateway.url, merchantCode, privateKey, ...fetch }
      const client = new GatewayClient(Object.assign(base, rateLimit === false && { rateLimit }, more))
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()))
      await gateway[Symbol.asyncDispose]()
      await sandbox.close()
    },
  }
}
