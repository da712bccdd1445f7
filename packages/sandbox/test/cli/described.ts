import { Ajv2020 } from 'ajv/dist/2020.js'
import * as z from 'zod'
import { failure, outputs as ofClient } from '../../../cli/src/command-output.js'
import { outputs as ofSandbox } from '../../src/cli/command-output.js'

const { '': serving, ...others } = ofSandbox
const all: Readonly<Record<string, z.ZodType>> = { ...ofClient, ...others, sandbox: serving }
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
/** Each with no field that it doesn't name. */
const validators = new Map(
  Object.entries({ ...all, error: failure }).map(([name, schema]) => [
    name,
    ajv.compile(z.toJSONSchema(schema, { io: 'output' })),
  ]),
)

/** What is wrong with lines that a command has printed with --json; nothing where the schemas describe them. */
export function undescribed(args: readonly string[], stdout: string): string[] {
  const [first = '', second = ''] = args
  const name = [`${first} ${second}`, first].find((one) => Object.hasOwn(all, one)) ?? 'error'
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
  return whole.split('\n').flatMap((line) => {
    if (line === '') return []
    const value: unknown = JSON.parse(line)
    const complaints = [name, 'error'].map((one) => {
      const validate = validators.get(one)
      return validate?.(value) === true ? undefined : `${one}: ${ajv.errorsText(validate?.errors)}`
    })
    return complaints.includes(undefined) ? [] : [`${line.slice(0, 200)} ${complaints[0]}`]
  })
}
