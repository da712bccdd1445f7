import type { SandboxParts } from '../../gateway/assemble.js'

/** What the page shows and acts on. */
export interface PageParts extends SandboxParts {
  /** Where the server was told to listen. */
  readonly host: string | undefined
  /** Fires when the sandbox is closed. */
  readonly closing: AbortSignal
}
