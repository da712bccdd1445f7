// @ts-check

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Median and spread. @param {readonly number[]} values */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** Of two things measured in the same rounds. @param {readonly number[]} ours @param {readonly number[]} theirs */
export function ratios(ours, theirs) {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
}

/**
 * Takes turns: every round measures each once, and each round begins with another one.
 *
 * @template T
 * @param {number} rounds
 * @param {readonly T[]} names
 * @param {(name: T, round: number) => Promise<void>} measure
 */
export async function interleaved(rounds, names, measure) {
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      await measure(/** @type {T} */ (names[(round + turn) % names.length]), round)
    }
  }
}

/** The value that such a part of all don't exceed. @param {readonly number[]} values @param {number} part */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
