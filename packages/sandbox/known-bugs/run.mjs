// Rehearses the shops with known bugs, and right ones, and prints what was found. After npm run build:
// node packages/sandbox/known-bugs/run.mjs
//   NAME …     only shops whose name contains one of these
//   --all      wrong shops, too, with every case, and not only with the one that shows the defect
//   --right    right shops only; --wrong wrong ones only
//   --verbose  with the history of each finding
// A shop whose language is not installed is skipped.
import { execFile, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { shops } from './shops.mjs'

const here = import.meta.dirname
const command = join(here, '../dist/bin.js')
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
const has = (option) => words.includes(`--${option}`)

const languages = {
  '.mjs': { program: process.execPath, start: (file) => `'${process.execPath}' '${file}'` },
  '.py': { program: 'python3', start: (file) => `python3 '${file}'` },
  '.php': {
    program: 'php',
    start: (file, port) => `PHP_CLI_SERVER_WORKERS=16 php -S 127.0.0.1:${port} '${file}'`,
  },
}

/** Below those that a system gives to who asks for any: nobody takes it before the shop has started. */
async function freePort() {
  const port = randomInt(20_000, 32_000)
  const server = createServer()
  const isFree = await new Promise((resolve) => {
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function rehearse({ file, name = 'slow', args, isSlow, isWrong }) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const data = mkdtempSync(join(tmpdir(), 'known-bugs-'))
  const { start } = languages[extname(file)]
  // Without a case of its own, two orders without a fault show it; one case is played all the same.
  const wanted = isWrong && has('all') ? 'all' : name
  const own = args.map((text) => text.replace('{url}', url))
  const action = own.includes('--action') ? [] : ['--action', `POST ${url}/orders/{n}`]
  const all = [
    ...['rehearse', '--json', '--patience', '4', '--cases', wanted],
    ...(isSlow ? [] : ['--wait', '8']),
    ...['--start', `PORT=${port} SHOP_DATA='${data}' ${start(join(here, file), port)}`, '--ready', url],
    ...action,
    ...own,
  ]
  const printed = await new Promise((resolve) => {
    execFile(process.execPath, [command, ...all], { maxBuffer: 2 ** 26 }, (_error, out, err) =>
      resolve(out || err),
    )
  })
  rmSync(data, { recursive: true, force: true })
  return JSON.parse(printed)
}

const counts = { found: 0, missed: 0, 'false positive': 0, right: 0, skipped: 0 }
const beganAt = performance.now()
const chosen = shops.filter(({ file, isWrong }) => {
  if (has('right') && isWrong) return false
  if (has('wrong') && !isWrong) return false
  return names.length === 0 || names.some((name) => file.includes(name))
})
console.log('| shop | | seconds | what was said |\n|---|---|---|---|')
for (const shop of chosen) {
  const { program } = languages[extname(shop.file)]
  const row = (word, text, seconds = '') => {
    counts[word] += 1
    console.log(`| ${basename(shop.file)} | ${word} | ${seconds} | ${text} |`)
  }
  if (spawnSync(program, ['--version']).status !== 0) {
    row('skipped', `${program} is not installed`)
    continue
  }
  const startedAt = performance.now()
  const report = await rehearse(shop)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const cases = report.cases ?? []
  const findings = cases.filter(({ outcome }) => outcome === 'wrong' || outcome === 'not yet')
  const [first] = findings
  const said = first === undefined ? '' : `${first.name}: ${first.sentence}`
  const untold = cases.filter(({ outcome }) => outcome === 'could not tell').map(({ name }) => name)
  const open = untold.length === 0 ? '' : ` (could not tell: ${untold.join(', ')})`
  const failed = report.error === undefined ? '' : report.error.message
  if (shop.isWrong) row(findings.length > 0 ? 'found' : 'missed', (said || failed) + open, seconds)
  else row(findings.length > 0 || failed ? 'false positive' : 'right', (said || failed) + open, seconds)
  if (has('verbose')) for (const { lines, name, advice } of findings) console.log(name, lines, advice)
}
const minutes = ((performance.now() - beganAt) / 60_000).toFixed(1)
const { found, missed, 'false positive': wronged, right, skipped } = counts
console.log(
  `\nfound ${found}, missed ${missed}; right ${right}, false positives ${wronged}; skipped ${skipped}; ${minutes} minutes`,
)
process.exitCode = missed + wronged === 0 ? 0 : 1
