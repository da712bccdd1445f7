// @ts-check
// Plays stories, given as JSON, and writes for each what Prometheus would have of it, a line of JSON:
//   node test/alerts/run.mjs '[{ "days": 1, … }]'
// In a process of its own, since it has another time than this one.
import { join } from 'node:path'
import { bundle } from '../simulation/bundle.mjs'

const bundled = await bundle([], join(import.meta.dirname, 'main.ts'))
const { play } = await bundled.load()
await bundled.remove()
for (const story of JSON.parse(process.argv[2] ?? '[]')) console.log(JSON.stringify(await play(story)))
