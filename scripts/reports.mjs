// @ts-check
// What the build is held against: the public API (test/api/reports), the licences of what is bundled, and the size of the main entry.
// `npm run reports` writes them; `npm run reports -- --check` fails where one is not what was built.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

for (const script of ['api-report', 'third-party-notices', 'size']) {
  const file = fileURLToPath(new URL(`${script}.mjs`, import.meta.url))
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
