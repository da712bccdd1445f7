import type { CurrencyTotal, SendableLine } from '../../payout-files/payout-file.js'
import { Totals } from '../../payout-files/totals.js'
import { WrongLines } from '../exit-codes.js'
import { countOf } from '../plural.js'
import { askedOf } from './asked.js'
import { Counter, stateOf } from './counts.js'
import type { Known, Results } from './results.js'

/** What a run of a file has to do, after what earlier ones have done. */
export interface Plan {
  readonly toSend: readonly SendableLine[]
  /** The sums of what is to be sent: what somebody has to say yes to. */
  readonly totals: readonly CurrencyTotal[]
  readonly counter: Counter
}

/**
 * @param retry asks again what was refused, too.
 * @throws {WrongLines} when a line asks for something else than it did when it was sent: the gateway never
 * shows an account, so that nobody later could tell which one the money went to.
 */
export function planOf(lines: readonly SendableLine[], results: Results | undefined, retry: boolean): Plan {
  const toSend: SendableLine[] = []
  const changed: { line: number; reason: string }[] = []
  const totals = new Totals()
  const counter = new Counter()
  for (const line of lines) {
    const { idPayout, paymentRequested } = line.request
    const known = results?.get(idPayout)
    const differs =
      results !== undefined && known !== undefined ? difference(line, known, results.salt) : undefined
    counter.add(stateOf(known))
    if (differs !== undefined && known?.ending?.result !== 'refused') {
      changed.push({
        line: line.line,
        reason: `its payout was sent before with another ${differs} under the same idPayout; put the line back as it was, or give it a new id if you mean a second payout.`,
      })
    } else if (isToSend(known, differs !== undefined || retry)) {
      toSend.push(line)
      totals.add(paymentRequested.money.amount, paymentRequested.money.currencyCode)
    }
  }
  if (changed.length > 0) {
    const which = `${countOf(changed.length, 'line')} ${changed.length === 1 ? 'has' : 'have'}`
    throw new WrongLines(`${which} changed since it was sent; nothing was sent now.`, changed.slice(0, 20))
  }
  return { toSend, totals: totals.list(), counter }
}

/** Only a refusal of a payout that was never sent leaves room for another try of the same id. */
function isToSend(known: Known | undefined, again: boolean): boolean {
  return known?.ending === undefined || (again && known.ending.result === 'refused')
}

function difference({ line, request }: SendableLine, { asked }: Known, salt: string): string | undefined {
  const now = askedOf(line, request, salt)
  if (Number(now.amount) !== Number(asked.amount)) return 'amount'
  if (now.currencyCode.toUpperCase() !== asked.currencyCode.toUpperCase()) return 'currency'
  return now.method === asked.method ? undefined : 'account or method'
}
