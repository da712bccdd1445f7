import * as z from 'zod/mini'
import { keysOf } from '../../common/json.js'
import * as input from '../input/check.js'

export interface FieldForm {
  readonly input: 'number' | 'flag' | 'choice' | 'text' | 'json'
  readonly label: string
  readonly unit?: 'ms' | 's'
  /** What stands in the form at first; nothing when absent. */
  readonly value?: number | string
  readonly min?: number
  readonly max?: number
  /** Of a choice; the first is what is meant by none. */
  readonly choices?: readonly (readonly [value: string, words: string])[]
  readonly placeholder?: string
}

/** One field of a kind of fault: what may stand there, and how a form asks for it. */
export interface FaultField<T> extends FieldForm {
  readonly check: z.ZodMiniType<T>
  readonly isOptional: boolean
}

/** All fields of one kind. One that is missing does not compile, nor does one of another type. */
export type FieldsOf<Action> = {
  readonly [Name in Exclude<keyof Action, 'kind'>]-?: FaultField<Exclude<Action[Name], undefined>>
}

type Words = Omit<FieldForm, 'input'>

export function optional<T>(field: FaultField<T>): FaultField<T> {
  return { ...field, isOptional: true }
}

export function milliseconds(words: Words): FaultField<number> {
  const check = input.number('a number of milliseconds, 0 or more', 0)
  return { ...shift(words), check, min: 0 }
}

/** Milliseconds forwards, or backwards below 0. */
export function shift(words: Words): FaultField<number> {
  const check = input.number('a number of milliseconds')
  return { input: 'number', check, isOptional: false, unit: 'ms', ...words }
}

export function wholeSeconds(words: Words): FaultField<number> {
  const check = input.whole('a whole number of seconds, 0 or more', 0)
  return { input: 'number', check, isOptional: false, unit: 's', min: 0, ...words }
}

export function httpStatus(value: number): FaultField<number> {
  const [min, max] = [200, 599]
  const check = input.whole(`an HTTP status from ${min} to ${max}`, min, max)
  return { input: 'number', label: 'HTTP status', check, isOptional: false, value, min, max }
}

export function flag(words: Words): FaultField<boolean> {
  return { input: 'flag', check: input.flag(), isOptional: true, ...words }
}

export function choice<const Text extends string>(
  label: string,
  words: Readonly<Record<Text, string>>,
): FaultField<Text> {
  const choices = Object.entries<string>(words)
  return { input: 'choice', label, check: input.oneOf(keysOf(words)), isOptional: true, choices }
}

export function text(what: string, words: Words): FaultField<string> {
  return { input: 'text', check: input.text(what), isOptional: false, ...words }
}

export function json<T>(what: string, isRight: (value: unknown) => boolean, words: Words): FaultField<T> {
  return { input: 'json', check: z.custom<T>(isRight, `must be ${what}`), isOptional: false, ...words }
}
