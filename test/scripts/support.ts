import { spawnSync } from 'node:child_process'
import { root } from '../support/root.js'

/** Runs a script of the repository to its end. */
export function runScript(name: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
