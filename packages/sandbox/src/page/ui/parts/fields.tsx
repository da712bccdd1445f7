import type { ComponentChildren } from 'preact'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: 'number'
  readonly defaultValue?: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: 'any'
  readonly placeholder?: string
  readonly required?: boolean
}

export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input autocomplete="off" spellcheck={false} {...input} />
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
      <select name={name} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {/* Not by the value of the select: that would take back what is chosen with every change of the sandbox. */}
        {choices.map(([one, words]) => (
          <option key={one} value={one} selected={one === value}>
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

/**
 * What a form does in place of being sent by the browser.
 *
 * @param handle takes the value of the button that was pressed, too
 */
export function onSubmit(
  handle: (form: HTMLFormElement, pressed: string) => void,
): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault()
    const { currentTarget, submitter } = event
    if (currentTarget instanceof HTMLFormElement) {
      handle(currentTarget, submitter?.getAttribute('value') ?? '')
    }
  }
}

export function textOf(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim()
}

export function numberOf(form: HTMLFormElement, name: string): number {
  const text = textOf(form, name)
  return text === '' ? Number.NaN : Number(text)
}
