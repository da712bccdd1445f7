import { rmSync } from 'node:fs'

// Declaration files have names with hashes: without this, old ones would stay and be packed.
const [folder = '.'] = process.argv.slice(2)
rmSync(new URL(`../${folder}/dist`, import.meta.url), { recursive: true, force: true })
