// @ts-check
// How long one import takes, in a process that has imported nothing else. node bench/workers/import-esm.mjs PACKAGE
const start = performance.now()
await import(process.argv[2] ?? '')
const ms = performance.now() - start

process.once('disconnect', () => process.exit())
process.send?.({ ms })
