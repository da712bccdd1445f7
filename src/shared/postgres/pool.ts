import type { PostgresConnection } from './query.js'

/** A client that a pool of pg has lent. */
export interface LentPostgresClient extends PostgresConnection {
  /** Adds a listener. */
  on(
    event: 'notification',
    listener: (message: { channel: string; payload?: string | undefined }) => void,
  ): unknown
  /** Adds a listener. */
  on(event: 'error' | 'end', listener: () => void): unknown
  /** Gives the client back; with `true`, ends its connection. */
  release(destroy?: boolean): void
  /** Lets the process end while the connection is open. */
  unref?(): void
}

/** A `Pool` of pg. */
export interface PostgresPool extends PostgresConnection {
  /** Lends a client. */
  connect(): Promise<LentPostgresClient>
}
