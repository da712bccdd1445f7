// @ts-check
// How long one require takes, in a process that has loaded nothing else. node bench/workers/import-cjs.cjs PACKAGE
const start = performance.now()
require(process.argv[2] ?? '')
const ms = performance.now() - start

process.once('disconnect', () => process.exit())
process.send?.({ ms })
