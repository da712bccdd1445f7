import { GatewayClient } from '../../../../src/index.js'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import type { RehearsalApplication } from '../../src/rehearse/application.js'
import type { Case } from '../../src/rehearse/case.js'
import { caseNamed } from '../../src/rehearse/cases.js'
import type { Stage as CaseStage, RunContext } from '../../src/rehearse/context.js'
import type { Reference } from '../../src/rehearse/evidence.js'
import { Orders } from '../../src/rehearse/orders.js'
import { type Expected, learn } from '../../src/rehearse/reference.js'
import { rehearse, whyNot } from '../../src/rehearse/rehearsal.js'
import { type Result, resultOf, resultOfNone } from '../../src/rehearse/result.js'

/** Each waits most of the time. */
export const sideBySide = { concurrent: true, timeout: 60_000 } as const

/** A gateway and a client of one test, so that tests are played side by side. */
export function openStage(options: SandboxOptions = {}) {
  const sandbox = createSandbox({
    payAfterMs: false,
    magicAmounts: false,
    callbackRetryAfterMs: 50,
    rateLimit: false,
    ...options,
  })
  const client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
  return {
    sandbox,
    client,
    /** Long enough for any machine; nothing here is meant to be waited for. */
    contextOf(application: RehearsalApplication, more: Partial<RunContext> = {}): RunContext {
      const { signal } = new AbortController()
      const waits = { patienceMs: 10_000, waitMs: 2000, calmMs: 100, whileMs: 300, pace: { ms: 0 } }
      return {
        gateway: sandbox,
        rateLimit: false,
        application,
        orders: new Orders(sandbox, 1),
        signal,
        ...waits,
        ...more,
      }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await sandbox.close()
    },
  }
}

export type Stage = ReturnType<typeof openStage>

/** What is learnt from two orders without a fault, which have to go well. */
export async function learnt(context: RunContext, lesson: Expected = {}): Promise<Reference> {
  const { reference, result } = await learn(context, lesson)
  if (reference === undefined) throw new Error(`nothing was learnt: ${result.verdict.sentence}`)
  return reference
}

/** Learns, and plays one case. */
export async function play(name: string, context: RunContext, lesson: Expected = {}): Promise<Result> {
  const reference = await learnt(context, lesson)
  return playCase(name, { reference, context })
}

/** Plays one case by itself. */
export async function playCase(
  name: string,
  { context, reference }: { readonly context: RunContext } & Pick<CaseStage, 'reference'>,
): Promise<Result> {
  const one = named(name)
  const stage = { ...context, reference }
  const why = whyNot(one, stage)
  return why === undefined ? resultOf(one, await rehearse(one, stage)) : resultOfNone(one, why)
}

export function named(name: string): Case {
  const one = caseNamed(name)
  if (one === undefined) throw new Error(`no case ${name}`)
  return one
}
