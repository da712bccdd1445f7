import type { SandboxParts } from '../../gateway/assemble.js'

export interface PageParts extends SandboxParts {
  /** The option `host` of the server. */
  readonly host: string | undefined
}
