import { type Ledger, newLedger } from '../../../src/stores/rate-limit/ledger.js'
import type { SharedText, TextReading } from '../../../src/stores/rate-limit/store.js'

/** A store in memory, on the clock of `performance.now()`, that takes its time, fails or hangs as it is told. */
export class HandStore implements SharedText {
  readonly name = 'Store'
  /** What is kept: begun so long ago that nothing is left of then. */
  text: string | undefined = JSON.stringify(newLedger(1, 0))
  /** How often it was read, and what was written. */
  reads = 0
  readonly written: Ledger[] = []
  /** How its clock differs from that of the process. */
  offsetMs = 1_763_790_000_000
  /** There, and back. */
  travelMs: readonly [number, number] = [0, 0]
  state: 'there' | 'refusing' | 'hanging' = 'there'
  #version = 0
  #hanging: (() => void)[] = []

  read(longest: number): Promise<TextReading> {
    this.reads++
    // On a clock that stands still, who asks without end would never come to an end.
    if (this.reads > 40_000) throw new Error('the store is asked without end')
    return this.#call(() => ({
      now: Math.floor(performance.now() + this.offsetMs),
      text: this.text?.slice(0, longest),
      version: `${this.#version}`,
    }))
  }

  swap({ version }: TextReading, text: string): Promise<boolean> {
    return this.#call(() => {
      if (version !== `${this.#version}`) return false
      this.keep(text)
      this.written.push(JSON.parse(text))
      return true
    })
  }

  /** Something else is kept from now on. */
  keep(text: string | undefined): void {
    this.#version++
    this.text = text
  }

  forget(): void {
    this.keep(undefined)
  }

  /** It answers again, what was asked meanwhile too. */
  comeBack(): void {
    this.state = 'there'
    for (const resolve of this.#hanging.splice(0)) resolve()
  }

  async #call<T>(answer: () => T): Promise<T> {
    if (this.state === 'refusing') throw new Error('ECONNREFUSED')
    if (this.state === 'hanging') await new Promise<void>((resolve) => this.#hanging.push(resolve))
    const [there, back] = this.travelMs
    if (there > 0) await later(there)
    const value = answer()
    if (back > 0) await later(back)
    return value
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
