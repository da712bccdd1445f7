import type { Answer, Ask } from '../../src/budget/ask.js'
import type { BudgetStore } from '../../src/budget/store.js'
import { MemoryLedger } from './asks.js'

/** A store in memory, on the clock of `performance.now()`, that takes its time, fails or hangs as it is told. */
export class HandStore implements BudgetStore {
  readonly name = 'Store'
  readonly ledger = new MemoryLedger()
  readonly asks: Ask[] = []
  /** How its clock differs from that of the process. */
  offsetMs = 1_763_790_000_000
  /** There, and back. */
  travelMs: readonly [number, number] = [0, 0]
  state: 'there' | 'refusing' | 'hanging' = 'there'
  #hanging: (() => void)[] = []

  async ask(ask: Ask): Promise<Answer> {
    this.asks.push(ask)
    // On a clock that stands still, who asks without end would never come to an end.
    if (this.asks.length > 20_000) throw new Error('the store is asked without end')
    if (this.state === 'refusing') throw new Error('ECONNREFUSED')
    if (this.state === 'hanging') await new Promise<void>((resolve) => this.#hanging.push(resolve))
    const [there, back] = this.travelMs
    if (there > 0) await later(there)
    const answer = this.ledger.ask(ask, Math.floor(performance.now() + this.offsetMs))
    if (back > 0) await later(back)
    return answer
  }

  /** It answers again, what was asked meanwhile too. */
  comeBack(): void {
    this.state = 'there'
    for (const resolve of this.#hanging.splice(0)) resolve()
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
