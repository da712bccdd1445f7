// @ts-check
// Runs programs one after the other in one process, and prints for each, as a line of JSON, what it printed.
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'

const environment = { ...process.env }
const say = process.stdout.write.bind(process.stdout)

for (const file of process.argv.slice(2)) {
  let output = ''
  console.log = (...values) => {
    output += `${formatWithOptions({}, ...values)}\n`
  }
  let problem = null
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    problem = error instanceof Error ? String(error.stack) : String(error)
  }
  process.env = { ...environment }
  say(`${JSON.stringify({ file, output, problem })}\n`)
}
