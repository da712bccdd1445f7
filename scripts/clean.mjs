import { rmSync } from 'node:fs'

// Declaration files have names with hashes: without this, old ones would stay and be packed.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
