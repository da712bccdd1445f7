// Imports one package in a process that has loaded nothing else, and tells how long that took, and the CPU
// time of the process so far, in milliseconds. Without a package it is the empty process to compare with.
import { writeSync } from 'node:fs'

const [name] = process.argv.slice(2)
const start = performance.now()
if (name !== undefined) await import(name)
const inside = performance.now() - start
const { user, system } = process.cpuUsage()
writeSync(1, JSON.stringify({ inside, cpu: (user + system) / 1000 }))
