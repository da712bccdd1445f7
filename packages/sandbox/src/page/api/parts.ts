import type { SandboxParts } from '../../gateway/assemble.js'

/** What the page shows and changes. */
export interface PageParts extends SandboxParts {
  /** The option `host` of the server. */
  readonly host: string | undefined
}
