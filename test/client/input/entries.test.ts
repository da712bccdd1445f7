import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../examples/support.js'

/** Files that a file of `src` needs, types aside. */
function neededBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)(?! type) [^']*?from '(\.[^']+)\.js'/gm)].map(([, from = '']) =>
    join(dirname(file), `${from}.ts`),
  )
}

/** A copy of an error's class in an entry would be another class than the one that a caller catches. */
test.each(['src/callbacks', 'sandbox/src/gateway'])(
  'what %s has of src/client/input makes no error of the client',
  (folder) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    const pending = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => neededBy(join(folder, file)))
      .filter((file) => file.startsWith('src/client/input/'))
    expect(pending).not.toEqual([])
    const needed = new Set<string>()
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (needed.has(next)) continue
      needed.add(next)
      pending.push(...neededBy(next))
    }
    expect([...needed].filter((file) => !file.startsWith('src/client/input/'))).toEqual([])
  },
)
