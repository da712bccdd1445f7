import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array
}

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
}

export function asset(name: string): Asset | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type === undefined ? undefined : { type, bytes: readFileSync(join(folder(), name)) }
}

/** Beside the built sandbox; for tests of the sources, where the build has put it. */
function folder(): string {
  // CommonJS has __dirname and ECMAScript modules have import.meta.url: the package is built as both.
  const here = typeof __dirname === 'string' ? __dirname : dirname(fileURLToPath(import.meta.url))
  const places = [join(here, 'page'), join(here, '../../../../dist/page')]
  const found = places.find((place) => existsSync(join(place, 'page.js')))
  if (found !== undefined) return found
  throw new Error('The page of the sandbox is not built; "npm run build" builds it.')
}
