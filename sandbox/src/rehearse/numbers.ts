const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A number as it reads best in a sentence. */
export function counted(count: number): string {
  return words[count] ?? String(count)
}
