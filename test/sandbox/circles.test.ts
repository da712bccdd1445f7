import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What each file of a folder imports, types included. */
function importsBelow(folder: string): Map<string, readonly string[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const imports = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(([, from = '']) => {
        const path = join(dirname(file), from)
        return existsSync(join(root, `${path}.ts`)) ? `${path}.ts` : `${path}.tsx`
      })
      return [file, imports.filter((imported) => imported.startsWith(folder))]
    }),
  )
}

/** Files that can be reached from themselves. */
function inCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return [...imports.keys()].filter((file) => {
    const reached = new Set<string>()
    const waiting = [...(imports.get(file) ?? [])]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      waiting.push(...(imports.get(next) ?? []))
    }
    return reached.has(file)
  })
}

/** The same of the rooms in a folder; what stands at its top puts them together. */
function roomsOf(folder: string, imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const roomOf = (file: string) =>
    file
      .slice(folder.length + 1)
      .split('/')
      .slice(0, -1)
      .join('/')
  const rooms = new Map<string, string[]>()
  for (const [file, imported] of imports) {
    const room = roomOf(file)
    const others = imported.map(roomOf).filter((other) => other !== room)
    if (room !== '') rooms.set(room, [...(rooms.get(room) ?? []), ...others])
  }
  return rooms
}

test.each(['sandbox/src/desk/control', 'sandbox/src/desk/page'])(
  'no room of %s needs a room that needs it, or its top',
  (folder) => {
    const rooms = roomsOf(folder, importsBelow(folder))
    expect(rooms.size).toBeGreaterThan(6)
    expect(inCircles(rooms)).toEqual([])
    expect([...rooms].filter(([, others]) => others.includes(''))).toEqual([])
  },
)

test.each(['sandbox/src/gateway', 'src/cli'])('no file of %s needs a file that needs it', (folder) => {
  const imports = importsBelow(folder)
  expect(imports.size).toBeGreaterThan(20)
  expect(inCircles(imports)).toEqual([])
})
