/** How much longer than usual an application may take where nobody has said how long: a sweep comes once a minute. */
export class Longer {
  #ms = 65_000

  /** @param end how the application has ended by itself; undefined while it runs */
  msFor(end: string | undefined): number {
    return end === undefined ? this.#ms : 0
  }

  /** Nobody waits for it a second time. */
  wasInVain(): void {
    this.#ms = 0
  }
}
