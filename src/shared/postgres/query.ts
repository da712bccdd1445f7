/** A `Pool` or a `Client` of pg, made and ended by the merchant. */
export interface PostgresConnection {
  /** Runs one statement. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** What the statement gave. */
    rows: Record<string, unknown>[]
  }>
}
