import { channel } from 'node:diagnostics_channel'
import { decimalOf, nothing } from '../../../../src/client/input/decimal.js'
import type { BooksEvent, PaymentKind } from '../../../../src/index.js'
import { entryOf } from './counting.js'
import { Known } from './known.js'
import { forAll, lookUpCount } from './look-up-all.js'
import { lookUpPayment, type Target } from './look-up-payment.js'
import { checkShown, readBalances } from './read-balances.js'
import { readEntry } from './read-entry.js'
import { readCloseOptions } from './read-options.js'
import { type Balances, changesOf, movedBetween, movesOf, openOf, sheetOf } from './sheet.js'
import type { BooksEntry, BooksOpening, BooksResult, CloseBooksOptions, ClosedBooks } from './types.js'

const closed = channel('merchant-gateway:books')

/**
 * Closes the books without a list from the gateway: looks up what was open at the last close or is new, reads the
 * balances before and after until nothing moved in between, and says by currency what no known payment explains, to the
 * last digit. GET /balances, GET /payins/{idPayin} and GET /payouts/{idPayout} (specification, section 4); no payment is
 * touched. Where something is unexplained, it looks up again what was final before, so that a payout that came back is
 * found.
 *
 * @param options client, what the last close returned, and your own payments. Durations are in milliseconds.
 * @returns the books, or that money moved in every round.
 * @throws {ConfigurationError} for an option that is unknown or wrong.
 * @throws {InvalidInputError} for what is no payment, or an opening that is not what a close has returned.
 * @throws {UnusableResponseError} where balances or amounts can't be told from the gateway's answers.
 * @throws {GatewayError} when a look-up came to nothing: close again with `resume`.
 * @example
 * const books = await closeBooks({ client, opening, payments: () => db.query('select …') })
 * if (books.closed && !books.addsUp) await alertAccounting(books.currencies)
 */
export async function closeBooks(options: CloseBooksOptions): Promise<ClosedBooks> {
  const settings = readCloseOptions(options)
  const { client, opening, payments, signal } = settings
  const known = new Known(opening)
  if (settings.resume !== undefined)
    await known.resume(settings.resume, (entry) => readEntry(entry, 'resume'))
  const count = lookUpCount(settings.onProgress)
  const balances = async () => {
    signal?.throwIfAborted()
    const { balances: answer } = await client.balances.list({}, { priority: 'bulk', signal })
    return readBalances(answer, settings.balancesOf)
  }
  const lookUp = async (target: Target, either: AbortSignal) => {
    const seen = await lookUpPayment(client, target, settings, settings.now(), either)
    const entry =
      seen === undefined
        ? notShown(target, settings.now())
        : entryOf(seen, target.before, settings.balanceCounts)
    known.saw(entry)
    await settings.onLookedUp?.(entry)
    count.did()
  }
  /** Rounds until one in which nothing moved. */
  const settle = async (looksBack: boolean): Promise<Settled> => {
    let moving: string[] = []
    for (let round = 1; round <= settings.rounds; round++) {
      const before = await balances()
      await known.list(payments)
      const due = known.due(looksBack)
      count.more(due.length)
      await forAll(due, signal, lookUp)
      const after = await balances()
      moving = movedBetween(before, after)
      if (moving.length === 0) return { balances: after, rounds: round }
    }
    return { moving }
  }

  for (let looksBack = 0; ; looksBack++) {
    const settled = await settle(looksBack > 0)
    if ('moving' in settled) return { closed: false, moving: settled.moving }
    const result = resultOf(opening, settled.balances, known, settings)
    const isSure = looksBack > 0 && settled.rounds === 1
    if (result.addsUp || isSure || looksBack === mostLooksBack || !known.hasFinal) {
      checkShown(result.currencies, settled.balances)
      publish(result)
      return result
    }
    // What was seen as final may have come back since.
    known.forgetSeen()
  }
}

/** A payment that the gateway does not show. What the books have counted of it stays: a 404 explains no money. */
function notShown({ kind, id, before }: Target, nowMs: number): BooksEntry {
  if (before?.payment !== undefined || before?.fee !== undefined) return before
  return { kind, id, final: false, since: before?.since ?? new Date(nowMs).toISOString() }
}

/** Money that moved while it looked back may be of a payment that it had looked at by then. */
const mostLooksBack = 3

type Settled =
  | { readonly balances: Balances; readonly rounds: number }
  | { readonly moving: readonly string[] }

function resultOf(
  opening: BooksOpening | undefined,
  closing: Balances,
  known: Known,
  { now, rememberMs }: { readonly now: () => number; readonly rememberMs: number },
): BooksResult {
  const nowMs = now()
  const { pairs, entries } = known
  const then = opening && balancesIn(opening)
  // What was there at the first close is in the balances already, and nobody knows since when.
  const moves = then === undefined ? [] : movesOf(pairs)
  const currencies = sheetOf(then, closing, moves)
  return {
    closed: true,
    addsUp: currencies.every(({ unexplained }) => unexplained === '0'),
    isFirst: opening === undefined,
    currencies,
    moves,
    changed: changesOf(pairs),
    open: openOf(entries, nowMs),
    next: {
      version: 1,
      closedAt: new Date(nowMs).toISOString(),
      balances: Object.fromEntries(
        currencies.map(({ currencyCode, closing: amount }) => [currencyCode, amount]),
      ),
      payments: known.remembered(nowMs - rememberMs),
    },
  }
}

function balancesIn({ balances }: BooksOpening): Balances {
  return new Map(Object.entries(balances).map(([code, amount]) => [code, decimalOf(amount) ?? nothing]))
}

/** What a close has found, for metrics. */
function publish({ currencies, open }: BooksResult): void {
  if (!closed.hasSubscribers) return
  // The oldest comes first.
  const oldest = (kind: PaymentKind) => open.find((one) => one.kind === kind)?.ageMs ?? 0
  const event: BooksEvent = {
    unexplained: currencies.map(({ currencyCode, unexplained }) => ({
      currencyCode,
      amount: Number(unexplained),
    })),
    oldestOpenMs: { payin: oldest('payin'), payout: oldest('payout') },
  }
  closed.publish(event)
}
