import type { SandboxParts } from '../../gateway/assemble.js'
import type { RehearsalApplication } from '../../rehearse/application.js'

/** What the page shows and acts on. */
export interface PageParts extends SandboxParts {
  /** Where the server was told to listen. */
  readonly host: string | undefined
  /** What the page rehearses, where it was named already. */
  readonly application: RehearsalApplication | undefined
  /** Fires when the sandbox is closed. */
  readonly closing: AbortSignal
}
