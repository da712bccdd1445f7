import { processIo } from '../../../cli/src/io.js'
import { run } from '../../../cli/src/program.js'
import { printWarnings } from '../../../cli/src/warnings.js'
import { merchantGatewaySandbox } from './merchant-gateway-sandbox.js'

// The commands say in their own words that the merchant secret is deprecated.
process.noDeprecation = true
const args = process.argv.slice(2)
const io = processIo()
printWarnings(io, args)
await run(merchantGatewaySandbox, args, io)
