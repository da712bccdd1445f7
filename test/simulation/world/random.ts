/** Random numbers that repeat: the same name gives the same sequence, and no other name the same one. */
export class Random {
  #state: number

  constructor(name: string) {
    this.#state = hash(name)
  }

  /** 0 or more, and below 1. */
  fraction(): number {
    // A Weyl sequence through a 32-bit finaliser.
    this.#state = (this.#state + 0x9e3779b9) | 0
    return mix(this.#state) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1))
  }

  /** True so often: 0 never, 1 always. */
  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.whole(0, list.length - 1)] ?? list[0]
  }

  /** Looks like a UUID of version 4. */
  uuid(): `${string}-${string}-${string}-${string}-${string}` {
    const hex = (count: number) =>
      Array.from({ length: count }, () => this.whole(0, 15).toString(16)).join('')
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return mix(value)
}

function mix(input: number): number {
  let value = input
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97)
  return (value ^ (value >>> 15)) >>> 0
}
