import { processIo } from './io.js'
import { run } from './program.js'

// The commands say in their own words that the merchant secret is deprecated.
process.noDeprecation = true
await run(process.argv.slice(2), processIo())
