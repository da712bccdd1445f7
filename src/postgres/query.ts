/** A `Pool` or a `Client` of pg, made and ended by the merchant. */
export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}
