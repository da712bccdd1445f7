/**
 * Where a signer keeps its log, which is also what it counts by: lines that are only ever added at the end.
 * `fileJournal` has it in a file of one signer; one of yours, over a store that compares and sets, can be shared by several.
 */
export interface SignerJournal {
  /** The lines after the first `known` ones, in their order. */
  read(known: number): AsyncIterable<string>
  /**
   * Adds a line behind the first `known` ones.
   *
   * @param durable whether it has to outlive a crash before this resolves.
   * @returns false where another signer has added one there.
   * @throws where the line was not written; then nothing is signed.
   */
  append(known: number, line: string, durable: boolean): Promise<boolean>
  /** Gives up what it holds. */
  close(): Promise<void>
}
