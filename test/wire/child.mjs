// @ts-check
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [file = '', ...args] = process.argv.slice(2)
const { campaign } = await import(pathToFileURL(file).href)
process.exitCode = (await campaign(args, join(dirname(file), 'certificates.json'))) > 0 ? 1 : 0
