import { channel } from 'node:diagnostics_channel'
import type { BalancesEvent, PaymentKind } from 'merchant-gateway'
import { eachAtOnce } from '../at-once.js'
import { Sums } from '../input/amounts.js'
import { checkShown, readBalances } from './balances.js'
import { changesOf, currenciesOf, movedBetween, movesOf, openOf } from './compare.js'
import { lookUp } from './lookup.js'
import { readReconcileOptions, type Settings } from './options.js'
import { isDue, type Row, Rows } from './rows.js'
import type { BalancesReconciled, KnownPayment, Opening, ReconcileOptions, Reconciliation } from './types.js'

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
 * @throws for an option that is unknown or wrong ({@link ConfigurationError}).
 * @throws for what is no payment, or an opening that is not what a run has returned ({@link InvalidInputError}).
 * @throws where balances or amounts can't be told from the gateway's responses ({@link UnusableResponseError}).
 * @throws when a status request came to nothing: run it again with `resume` ({@link GatewayError}).
 * @example
 * const found = await reconcileBalances({ client, opening, payments: () => db.query('select …') })
 * if (found.complete && !found.addsUp) await alertAccounting(found.currencies)
 */
export async function reconcileBalances(options: ReconcileOptions): Promise<Reconciliation> {
  const settings = readReconcileOptions(options)
  const rows = new Rows(settings.opening)
  if (settings.resume !== undefined) await rows.resume(settings.resume)
  const count = counter(settings.onProgress)
  for (let looksBack = 0; ; looksBack++) {
    const quiet = await untilQuiet(rows, settings, count, looksBack > 0)
    if ('moving' in quiet) return { complete: false, moving: quiet.moving }
    const result = resultOf(quiet.balances, rows.all, settings)
    const isSure = looksBack > 0 && quiet.rounds === 1
    const hasFinal = rows.all.some(({ now }) => now?.final)
    if (result.addsUp || isSure || looksBack === mostLooksBack || !hasFinal) {
      checkShown(result.currencies, quiet.balances)
      publish(result)
      return result
    }
    rows.forgetSeen()
  }
}

type Quiet = { readonly balances: Sums; readonly rounds: number } | { readonly moving: readonly string[] }

/** How often everything open is looked up until the balances stand still. */
const mostRounds = 10

/** Rounds until one in which nothing moved. */
async function untilQuiet(
  rows: Rows,
  settings: Settings,
  count: ReturnType<typeof counter>,
  looksBack: boolean,
): Promise<Quiet> {
  const { client, signal, balancesOf } = settings
  const balances = async () => {
    signal?.throwIfAborted()
    const response = await client.balances.list({}, { priority: 'background', signal })
    return readBalances(response.balances, balancesOf)
  }
  let moving: string[] = []
  for (let round = 1; round <= mostRounds; round++) {
    const before = await balances()
    await rows.list(settings.payments)
    const due = rows.all.filter((row) => isDue(row, looksBack))
    count(due.length, 0)
    await lookUpAll(due, rows, settings, count)
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
  due: readonly Row[],
  rows: Rows,
  settings: Settings,
  count: ReturnType<typeof counter>,
): Promise<void> {
  const { signal, onLookedUp } = settings
  const stop = new AbortController()
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const one = async (row: Row) => {
    try {
      const seen = await lookUp(row, settings, either)
      rows.saw(row, seen)
      await onLookedUp?.(seen)
      count(0, 1)
    } catch (error) {
      signal?.throwIfAborted()
      stop.abort()
      throw error
    }
  }
  await eachAtOnce(due, atOnce, one, () => either.aborted)
  signal?.throwIfAborted()
}

function resultOf(
  closing: Sums,
  rows: readonly Row[],
  { opening, now, rememberMs }: Settings,
): BalancesReconciled {
  const nowMs = now()
  // What was there at the first run is in the balances already, and nobody knows since when.
  const moves = opening === undefined ? [] : movesOf(rows)
  const currencies = currenciesOf(opening && sumsOf(opening.balances), closing, moves)
  const balances = currencies.map(({ currencyCode, closing: amount }) => [currencyCode, amount])
  return {
    complete: true,
    addsUp: currencies.every(({ unexplained }) => unexplained === '0'),
    isFirst: opening === undefined,
    currencies,
    moves,
    changed: changesOf(rows),
    open: openOf(rows, nowMs),
    next: {
      version: 1,
      closedAt: new Date(nowMs).toISOString(),
      balances: Object.fromEntries(balances),
      payments: rows.flatMap((row) => remembered(row, nowMs - rememberMs)),
    },
  }
}

function sumsOf(balances: Opening['balances']): Sums {
  const sums = new Sums()
  for (const [code, amount] of Object.entries(balances)) sums.add(amount, code)
  return sums
}

/** For the next run: without what ended, or was never there, before this time, and is not in your own list. */
function remembered({ own, now }: Row, sinceMs: number): KnownPayment[] {
  if (now === undefined) return []
  const isOpen = !now.final && now.status !== undefined
  return isOpen || own !== undefined || Date.parse(now.since) >= sinceMs ? [now] : []
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
