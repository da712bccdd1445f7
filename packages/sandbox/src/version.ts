import { readFileSync } from 'node:fs'
import { isObject, jsonOf } from './common/json.js'

/** Of this package. Its `package.json` is above this file, and above what is built of it. */
export function ownVersion(): string {
  const manifest = jsonOf(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return isObject(manifest) ? String(manifest.version) : 'unknown'
}
