import { createSandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import type { RehearsalApplication } from '../../../sandbox/src/rehearse/application.js'
import { Carts } from '../../../sandbox/src/rehearse/carts.js'
import { type Case, caseNamed } from '../../../sandbox/src/rehearse/cases.js'
import type { RunContext } from '../../../sandbox/src/rehearse/context.js'
import type { Reference } from '../../../sandbox/src/rehearse/evidence.js'
import type { Kind, Money, Route } from '../../../sandbox/src/rehearse/gateway.js'
import { learn } from '../../../sandbox/src/rehearse/learn.js'
import { type Result, rehearse } from '../../../sandbox/src/rehearse/rehearsal.js'
import { GatewayClient } from '../../../src/index.js'

/** Each waits most of the time. */
export const sideBySide = { concurrent: true, timeout: 60_000 } as const

/** A gateway and a client of one test, so that tests are played side by side. */
export function openStage(options: SandboxOptions = {}) {
  const sandbox = createSandbox({
    settleAfterMs: false,
    magicAmounts: [],
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
      const waits = { patienceMs: 10_000, waitMs: 2000, calmMs: 30 }
      return { gateway: sandbox, application, carts: new Carts(), signal, ...waits, ...more }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await sandbox.close()
    },
  }
}

export type Stage = ReturnType<typeof openStage>

export interface Lesson {
  readonly firstCart?: number
  readonly kind?: Kind
  readonly price?: Money
}

/** What is learnt from two carts without a fault, which have to go well. */
export async function learnt(
  context: RunContext,
  { firstCart = 1, kind, price }: Lesson = {},
): Promise<Reference> {
  const { reference, result } = await learn(context, firstCart, kind, price)
  if (reference === undefined) throw new Error(`nothing was learnt: ${result.verdict.sentence}`)
  return reference
}

/** Learns, and plays one case. */
export async function play(
  name: string,
  context: RunContext,
  lesson: Lesson & { readonly route?: Route } = {},
): Promise<Result> {
  const reference = await learnt(context, lesson)
  const { firstCart = 1, route } = lesson
  return rehearse(named(name), firstCart + 2, { reference, context, route })
}

export function named(name: string): Case {
  const one = caseNamed(name)
  if (one === undefined) throw new Error(`no case ${name}`)
  return one
}
