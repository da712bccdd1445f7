#!/usr/bin/env node
import { printWarnings, processIo } from './io.js'
import { run } from './program.js'

// The commands say in their own words that the merchant secret is deprecated.
process.noDeprecation = true
const args = process.argv.slice(2)
const io = processIo()
printWarnings(io, args)
await run(args, io)
