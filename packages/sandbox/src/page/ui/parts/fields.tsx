import type { ComponentChildren } from 'preact'

interface NumberFieldProps {
  readonly name: string
  readonly label: string
  readonly value?: number | string | undefined
  readonly min?: number
  readonly max?: number
  /** `any` for decimals. */
  readonly step?: 'any'
  readonly isOptional?: boolean
}

export function NumberField({ name, label, value, min, max, step, isOptional = false }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        name={name}
        defaultValue={value === undefined ? '' : String(value)}
        min={min}
        max={max}
        step={step}
        required={!isOptional}
      />
    </label>
  )
}

interface TextFieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly placeholder?: string
  readonly isRequired?: boolean
}

export function TextField({ name, label, value = '', placeholder, isRequired = false }: TextFieldProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        name={name}
        defaultValue={value}
        placeholder={placeholder}
        required={isRequired}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  )
}

/** Several lines, such as JSON. */
export function LongField({ name, label, value = '', placeholder, isRequired = false }: TextFieldProps) {
  return (
    <label class="long-field">
      {label}
      <textarea name={name} rows={3} placeholder={placeholder} required={isRequired} spellcheck={false}>
        {value}
      </textarea>
    </label>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly choices: readonly (readonly [value: string, words: string])[]
  readonly value?: string
  readonly onChange?: (value: string) => void
}

export function Choice({ name, label, choices, value, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name} value={value} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {choices.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

export function Check({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} />
      <span>{children}</span>
    </label>
  )
}

/** What a form does in place of being sent by the browser. */
export function onSubmit(handle: (form: HTMLFormElement) => void): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    if (event.currentTarget instanceof HTMLFormElement) handle(event.currentTarget)
  }
}

export function textOf(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim()
}

/** NaN for a field that is empty. */
export function numberOf(form: HTMLFormElement, name: string): number {
  const text = textOf(form, name)
  return text === '' ? Number.NaN : Number(text)
}
