import { randomBytes } from 'node:crypto'

/** Random bytes: of the system, or of a seed, so that ids, keys, references, delays and faults repeat. */
export interface Random {
  bytes(count: number): Uint8Array
  digits(count: number): string
  fraction(): number
}

/** @param purpose each has its own sequence, so that one more token does not change the faults */
export function createRandom(seed: number | string | undefined, purpose = ''): Random {
  const bytes = seed === undefined ? randomBytes : seeded(`${seed}${purpose}`)
  return {
    bytes,
    digits: (count) => Array.from(bytes(count), (byte) => byte % 10).join(''),
    fraction: () => bytes(6).reduce((sum, byte) => (sum + byte) / 256, 0),
  }
}

function seeded(seed: string): (count: number) => Uint8Array {
  let state = hash(seed)
  // A Weyl sequence through a 32-bit finaliser: short, and good enough for ids.
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    return mix(state)
  }
  return (count) => Uint8Array.from({ length: count }, () => next() & 0xff)
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return mix(value)
}

function mix(input: number): number {
  let value = input
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97)
  return (value ^ (value >>> 15)) >>> 0
}
