/** Counts the changes of a sandbox, and says nothing of what has changed. */
export class Changes {
  #count = 0

  get count(): number {
    return this.#count
  }

  notify(): void {
    this.#count += 1
  }
}
