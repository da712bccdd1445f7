import { readText } from '../../../../src/cli/files.js'
import type { Io } from '../../../../src/cli/io.js'
import { publicKeyOf } from '../../../../src/cli/keys.js'
import type { Sandbox } from '../../index.js'
import type { RehearsalGateway } from '../../rehearse/gateway.js'
import { describe, listen, type Served } from '../served.js'

export interface SandboxOptions {
  readonly port: number
  readonly publicKey?: readonly string[]
}

/** A sandbox that listens for a rehearsal. */
export interface RehearsalSandbox {
  readonly gateway: RehearsalGateway
  readonly served: Served
  close(): Promise<void>
}

/**
 * Payments wait until the rehearsal lets them be paid, and no amount forces anything. The clock is the machine's:
 * the application lives by that too, and its tokens and timestamps would be wrong by any other.
 */
export async function openSandbox(options: SandboxOptions, io: Io): Promise<RehearsalSandbox> {
  const { createSandbox } = await import('../../index.js')
  const { publicKey = [] } = options
  const sandbox = createSandbox({
    settleAfterMs: false,
    magicAmounts: [],
    callbackRetryAfterMs: 500,
    publicKeys: publicKey.map((file) => publicKeyOf(readText(file), file)),
  })
  try {
    let server = await listen(sandbox, { port: options.port, page: false })
    const { port } = server
    const refuseConnections = async () => {
      await server.close()
      return async () => {
        server = await listen(sandbox, { port, page: false })
      }
    }
    return {
      gateway: gatewayOf(sandbox, refuseConnections),
      served: describe(sandbox, server, { ...options, page: false }, io),
      close: () => sandbox.close(),
    }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

function gatewayOf(
  sandbox: Sandbox,
  refuseConnections: NonNullable<RehearsalGateway['refuseConnections']>,
): RehearsalGateway {
  const { clock, payins, payouts } = sandbox
  return {
    clock,
    payins,
    payouts,
    refuseConnections,
    get requests() {
      return sandbox.requests
    },
    get callbacks() {
      return sandbox.callbacks
    },
    fault: (fault) => sandbox.fault(fault),
    callbackFault: (fault) => sandbox.callbackFault(fault),
    idle: () => sandbox.idle(),
  }
}
