import { existsSync, writeFileSync } from 'node:fs'
import { jsonOf } from '../../../../../src/client/input/json.js'
import { isObject } from '../../../../../src/client/input/own.js'
import { CommandFailed } from '../../../../cli/src/exit-codes.js'
import { readText, withFile } from '../../../../cli/src/files.js'
import { showsSecret } from '../../rehearse/act-text.js'
import { applicationFlags } from './options.js'

/** The file in which the answers of the first rehearsal stand: the next one takes no options. */
export const answersFile = 'rehearse.json'

/** What may stand in it: what the application is, and what a cart costs. */
const names = [...Object.keys(applicationFlags), 'price']

export type Answers = Partial<Record<keyof typeof applicationFlags | 'price', string>>

/** The answers in this folder; undefined when there are none. */
export function readAnswers(): Answers | undefined {
  if (!existsSync(answersFile)) return undefined
  const json = jsonOf(readText(answersFile))
  if (!isObject(json)) {
    throw new CommandFailed(`${answersFile} must hold a JSON object, such as {"act": "…"}.`)
  }
  for (const [name, value] of Object.entries(json)) {
    if (!names.includes(name) || typeof value !== 'string') {
      throw new CommandFailed(`${answersFile} holds texts named ${names.join(', ')}, and nothing else.`)
    }
  }
  return { ...json }
}

/** @throws {CommandFailed} when there is such a file already */
export function writeAnswers(answers: Answers): void {
  if (Object.values(answers).some(showsSecret)) {
    throw new CommandFailed('an answer holds a key or a token itself; put it into an environment variable.')
  }
  const text = `${JSON.stringify(answers, null, 2)}\n`
  withFile(answersFile, () => writeFileSync(answersFile, text, { flag: 'wx' }))
}
