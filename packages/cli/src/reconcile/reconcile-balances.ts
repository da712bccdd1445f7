import { channel } from 'node:diagnostics_channel'
import type { BalancesEvent, PaymentKind } from 'merchant-gateway'
import { exact } from '../input/decimal.js'
import { type Balances, checkShown, readBalances } from './balances.js'
import { changesOf, currenciesOf, movedBetween, movesOf, openOf } from './compare.js'
import { readReconcileOptions, type Settings } from './options.js'
import { Payments, type Target } from './payments.js'
import { lookUp } from './status.js'
import type { BalancesReconciled, Opening, ReconcileOptions, Reconciliation } from './types.js'

const reconciled = channel('merchant-gateway:balances')

/** Money that moved while it looks back may be of a payment that it had looked up by then. */
const mostLooksBack = 3

/**
 * Compares the balances with your payments, without a list from the gateway: looks up what was open at the last run or
 * is new, reads the balances before and after until nothing moved in between, and says by currency what no known
 * payment explains, to the last digit. GET /balances, GET /payins/{idPayin} and GET /payouts/{idPayout}
 * (specification, section 4); no payment is touched. Where something is unexplained, it looks up again what was final
 * before, so that a payout that came back is found.
 *
 * @param options client, what the last run returned, and your own payments. Durations are in milliseconds.
 * @returns what has moved, or that money moved in every round.
 * @throws {ConfigurationError} for an option that is unknown or wrong.
 * @throws {InvalidInputError} for what is no payment, or an opening that is not what a run has returned.
 * @throws {UnusableResponseError} where balances or amounts can't be told from the gateway's responses.
 * @throws {GatewayError} when a status request came to nothing: run it again with `resume`.
 * @example
 * const found = await reconcileBalances({ client, opening, payments: () => db.query('select …') })
 * if (found.complete && !found.addsUp) await alertAccounting(found.currencies)
 */
export async function reconcileBalances(options: ReconcileOptions): Promise<Reconciliation> {
  const settings = readReconcileOptions(options)
  const { opening } = settings
  const payments = new Payments(opening)
  if (settings.resume !== undefined) await payments.resume(settings.resume)
  const count = counter(settings.onProgress)
  for (let looksBack = 0; ; looksBack++) {
    const quiet = await untilQuiet(payments, settings, count, looksBack > 0)
    if ('moving' in quiet) return { complete: false, moving: quiet.moving }
    const result = resultOf(opening, quiet.balances, payments, settings)
    const isSure = looksBack > 0 && quiet.rounds === 1
    if (result.addsUp || isSure || looksBack === mostLooksBack || !payments.hasFinal) {
      checkShown(result.currencies, quiet.balances)
      publish(result)
      return result
    }
    // What was seen as final may have come back since.
    payments.forgetSeen()
  }
}

type Quiet = { readonly balances: Balances; readonly rounds: number } | { readonly moving: readonly string[] }

/** How often everything open is looked up until the balances stand still. */
const mostRounds = 10

/** Rounds until one in which nothing moved. */
async function untilQuiet(
  payments: Payments,
  settings: Settings,
  count: ReturnType<typeof counter>,
  looksBack: boolean,
): Promise<Quiet> {
  const { client, signal, balancesOf } = settings
  const balances = async () => {
    signal?.throwIfAborted()
    const response = await client.balances.list({}, { priority: 'bulk', signal })
    return readBalances(response.balances, balancesOf)
  }
  let moving: string[] = []
  for (let round = 1; round <= mostRounds; round++) {
    const before = await balances()
    await payments.list(settings.payments)
    const due = payments.due(looksBack)
    count(due.length, 0)
    await lookUpAll(due, settings.signal, async (target, either) => {
      const seen = await lookUp(target, settings, either)
      payments.saw(seen)
      await settings.onLookedUp?.(seen)
      count(0, 1)
    })
    const after = await balances()
    moving = movedBetween(before, after)
    if (moving.length === 0) return { balances: after, rounds: round }
  }
  return { moving }
}

/** The gateway takes ten requests a second (specification, section 8). */
const msEach = 100
/** How many are under way at once: the rate limit paces them, this keeps memory flat. */
const atOnce = 10

/** Says how far a run is, whenever more is to be looked up or something was. */
function counter(onProgress: Settings['onProgress']) {
  let [done, total] = [0, 0]
  return (more: number, did: number) => {
    total += more
    done += did
    if (more + did > 0) onProgress?.({ done, total, remainingMs: (total - done) * msEach })
  }
}

/** The first that fails ends the others, and is what it rejects with. */
async function lookUpAll(
  due: readonly Target[],
  signal: AbortSignal | undefined,
  run: (target: Target, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const rest = due.values()
  const work = async () => {
    try {
      for (const target of rest) {
        if (either.aborted) return
        await run(target, either)
      }
    } catch (error) {
      stop.abort(error)
    }
  }
  // None is left behind, not even when one fails.
  await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, work))
  either.throwIfAborted()
}

function resultOf(
  opening: Opening | undefined,
  closing: Balances,
  payments: Payments,
  { now, rememberMs }: Settings,
): BalancesReconciled {
  const nowMs = now()
  const { pairs, all } = payments
  const then = opening && new Map(Object.entries(opening.balances).map(([code, text]) => [code, exact(text)]))
  // What was there at the first run is in the balances already, and nobody knows since when.
  const moves = then === undefined ? [] : movesOf(pairs)
  const currencies = currenciesOf(then, closing, moves)
  const balances = currencies.map(({ currencyCode, closing: amount }) => [currencyCode, amount])
  return {
    complete: true,
    addsUp: currencies.every(({ unexplained }) => unexplained === '0'),
    isFirst: opening === undefined,
    currencies,
    moves,
    changed: changesOf(pairs),
    open: openOf(all, nowMs),
    next: {
      version: 1,
      closedAt: new Date(nowMs).toISOString(),
      balances: Object.fromEntries(balances),
      payments: payments.remembered(nowMs - rememberMs),
    },
  }
}

/** What a run has found, for metrics. */
function publish({ currencies, open }: BalancesReconciled): void {
  // The oldest comes first.
  const oldest = (kind: PaymentKind) => open.find((one) => one.kind === kind)?.ageMs ?? 0
  const event: BalancesEvent = {
    unexplained: currencies.map(({ currencyCode, unexplained }) => ({
      currencyCode,
      amount: Number(unexplained),
    })),
    oldestOpenMs: { payin: oldest('payin'), payout: oldest('payout') },
  }
  reconciled.publish(event)
}
