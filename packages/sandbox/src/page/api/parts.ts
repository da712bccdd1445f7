import type { SandboxParts } from '../../gateway/assemble.js'

/** What the page shows and changes. */
export interface PageParts extends SandboxParts {
  /** Where the server was told to listen. */
  readonly host: string | undefined
}
