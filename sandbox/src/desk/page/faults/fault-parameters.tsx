import { useSignal } from '@preact/signals'
import { Check, Choice, LongField, NumberField, TextField } from '../parts/fields.js'
import { callbackKinds, type Input, requestKinds } from './fault-inputs.js'

/** The fields for what a kind of fault takes beside its kind. */
export function ParameterFields({ chosen }: { chosen: string }) {
  const [at, kind = ''] = chosen.split('/')
  const kinds: Readonly<Record<string, { readonly inputs: Readonly<Record<string, Input>> }>> =
    at === 'callback' ? callbackKinds : requestKinds
  const inputs = Object.entries(kinds[kind]?.inputs ?? {})
  return (
    <>
      {inputs.map(([name, input]) => (
        <ParameterField key={name} name={name} input={input} />
      ))}
    </>
  )
}

function ParameterField({ name, input }: { name: string; input: Input }) {
  switch (input.as) {
    case 'number': {
      const { label, value, min, max } = input
      const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
      return (
        <NumberField name={name} label={label} value={value} {...bounds} isOptional={value === undefined} />
      )
    }
    case 'flag':
      return <Check name={name}>{input.label}</Check>
    case 'choice':
      return <Choice name={name} label={input.label} choices={input.choices} />
    case 'body':
    case 'object':
      return <LongField name={name} label={input.label} placeholder={input.placeholder} />
    case 'change':
      return <ChangeFields />
  }
}

function ChangeFields() {
  const way = useSignal('patch')
  const ways = [
    ['patch', 'by a JSON merge patch'],
    ['null', 'null where a string was'],
    ['extra', 'fields that nobody has heard of'],
  ] as const
  return (
    <>
      <Choice
        name="change"
        label="How"
        choices={ways}
        value={way.value}
        onChange={(value) => {
          way.value = value
        }}
      />
      {way.value === 'patch' && (
        <LongField
          name="patch"
          label="Merge patch: fields are set, null removes one"
          value={'{ "process": { "status": "UNDER_REVIEW" } }'}
          isRequired
        />
      )}
      {way.value === 'null' && (
        <TextField name="nullAt" label="Field" value="paymentMethodResponse.paymentMethodCode" isRequired />
      )}
    </>
  )
}
