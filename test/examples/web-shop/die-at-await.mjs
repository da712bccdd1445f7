// Loaded by a program whose awaits are numbered (awaits.ts). Each await has two points: it is under way, and it has
// settled. Ends the process with SIGKILL at the point number `count`, or at the first one of `site`, and writes to
// DIE_REPORT which one that was. Counted from the start where DIE_COUNT says so, and anew from each message.
import { writeFileSync } from 'node:fs'

const { DIE_COUNT, DIE_REPORT = '' } = process.env
let armed = { count: Number(DIE_COUNT ?? 0), site: '' }
let passed = 0
process.on('message', (message) => {
  armed = message
  passed = 0
})
// Else a program that has nothing more to do would not end.
process.channel?.unref()

/** @param {string} site @param {() => Promise<unknown>} work */
export async function at(site, work) {
  let isSettled = false
  // What it sends leaves first.
  setImmediate(() => isSettled || point(site, 'under way'))
  try {
    return await work()
  } finally {
    isSettled = true
    point(site, 'settled')
  }
}

function point(site, moment) {
  passed += 1
  if (passed !== armed.count && site !== armed.site) return
  writeFileSync(DIE_REPORT, JSON.stringify({ site, moment }))
  process.kill(process.pid, 'SIGKILL')
}
