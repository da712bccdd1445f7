#!/usr/bin/env node
import { processIo } from './io.js'
import { run } from './program.js'

await run(process.argv.slice(2), processIo())
