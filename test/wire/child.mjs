// @ts-check
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [file = '', ...args] = process.argv.slice(2)
const { campaign } = await import(pathToFileURL(file).href)
const violations = await campaign(args, join(dirname(file), 'certificates.json'))
// What Node's own fetch still holds is not waited for.
process.exit(violations > 0 ? 1 : 0)
