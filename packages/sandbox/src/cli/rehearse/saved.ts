import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, jsonOf } from '../../common/json.js'
import { readText } from '../arguments.js'
import { CommandFailed, withFile } from '../failure.js'
import { applicationFlags } from './options.js'

/** What `--save` has written: the next rehearsal in this folder takes no options, in CI too. */
export const savedFile = 'rehearse.json'

/** What may stand in it: what the application is, what an order costs, and which payments are counted. */
const texts = [...Object.keys(applicationFlags), 'price']
const names = [...texts, 'payouts']

export type Saved = Partial<Record<keyof typeof applicationFlags | 'price', string>> & {
  readonly payouts?: true
}

export function readSaved(folder: string): Saved | undefined {
  const file = join(folder, savedFile)
  if (!existsSync(file)) return undefined
  const json = jsonOf(readText(file))
  if (!isObject(json)) {
    throw new CommandFailed(`${savedFile} holds no JSON object. Write one, such as {"action": "…"}.`)
  }
  for (const [name, value] of Object.entries(json)) {
    if (!names.includes(name) || (texts.includes(name) ? typeof value !== 'string' : value !== true)) {
      throw new CommandFailed(
        `${savedFile} holds what is no option. It takes texts named ${texts.join(', ')}, and "payouts": true.`,
      )
    }
  }
  return { ...json }
}

/** @throws when there is such a file already ({@link CommandFailed}) */
export function save(options: Saved, folder: string): void {
  const chosen = Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)))
  withFile(savedFile, () =>
    writeFileSync(join(folder, savedFile), `${JSON.stringify(chosen, null, 2)}\n`, { flag: 'wx' }),
  )
}
