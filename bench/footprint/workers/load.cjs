// The same as load.mjs, by require.
const { writeSync } = require('node:fs')

const [name] = process.argv.slice(2)
const start = performance.now()
if (name !== undefined) require(name)
const inside = performance.now() - start
const { user, system } = process.cpuUsage()
writeSync(1, JSON.stringify({ inside, cpu: (user + system) / 1000 }))
