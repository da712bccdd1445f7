import type { SandboxParts } from '../../gateway/assemble.js'

export interface PageParts extends SandboxParts {
  readonly host: string | undefined
}
