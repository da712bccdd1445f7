import type { FaultHandle } from './fault.js'

/** The options of a fault that waits for its request or callback, and what it has done. */
export interface Armed<Options> {
  /** One number for each fault of a sandbox, never used again. */
  readonly key: number
  readonly options: Options
  readonly hits: number
  readonly toSkip: number
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

export class ArmedList<Options extends { readonly times?: number; readonly skip?: number }> {
  readonly #check: (options: Options) => void
  readonly #onChange: () => void
  #armed: Mutable<Armed<Options>>[] = []
  #nextKey = 1

  /** @param check throws an Error that names what is wrong with a fault */
  constructor(check: (options: Options) => void, onChange: () => void) {
    this.#check = check
    this.#onChange = onChange
  }

  /** @throws naming what is wrong with the fault (`Error`). */
  arm(given: Options): FaultHandle {
    this.#check(given)
    const options = { ...given }
    const key = this.#nextKey
    this.#nextKey += 1
    const fault = { key, options, hits: 0, toSkip: options.skip ?? 0 }
    this.#armed.push(fault)
    this.#onChange()
    return {
      get hits() {
        return fault.hits
      },
      remove: () => this.disarm(key),
    }
  }

  list(): Armed<Options>[] {
    return this.#armed.map((fault) => ({ ...fault }))
  }

  disarm(key: number): void {
    const left = this.#armed.filter((other) => other.key !== key)
    if (left.length === this.#armed.length) return
    this.#armed = left
    this.#onChange()
  }

  clear(): void {
    this.#armed = []
    this.#onChange()
  }

  /** The first that fits; undefined when there is none, or when it lets this one pass. */
  protected find(fits: (options: Options) => boolean): Armed<Options> | undefined {
    const fault = this.#armed.find(({ options }) => fits(options))
    if (fault === undefined || fault.toSkip === 0) return fault
    fault.toSkip -= 1
    return undefined
  }

  protected hit(key: number): void {
    const fault = this.#armed.find((other) => other.key === key)
    if (fault === undefined) return
    fault.hits += 1
    if (fault.hits >= (fault.options.times ?? 1)) this.disarm(key)
    else this.#onChange()
  }
}
