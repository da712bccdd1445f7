import { processIo } from '../../../src/cli/io.js'
import { run } from '../../../src/cli/program.js'
import { merchantGatewaySandbox } from './merchant-gateway-sandbox.js'

// The commands say in their own words that the merchant secret is deprecated.
process.noDeprecation = true
await run(merchantGatewaySandbox, process.argv.slice(2), processIo())
