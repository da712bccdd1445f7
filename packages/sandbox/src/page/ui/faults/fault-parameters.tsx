import type { FaultForm } from '../../api/actions/faults.js'
import { Check, Choice, LongField, NumberField, TextField } from '../parts/fields.js'

/** A field for each thing that a kind of fault takes beside its kind. */
export function ParameterFields({ fields }: { fields: FaultForm['fields'] }) {
  return (
    <>
      {fields.map((field) => (
        <ParameterField key={field.name} {...field} />
      ))}
    </>
  )
}

function ParameterField({ input, value, choices = [], isOptional, ...field }: FaultForm['fields'][number]) {
  const { name, label, unit, placeholder = '', min, max } = field
  const text = value === undefined ? '' : String(value)
  switch (input) {
    case 'number': {
      const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
      const withUnit = unit === undefined ? label : `${label}, in ${unit}`
      return <NumberField name={name} label={withUnit} value={text} {...bounds} isOptional={isOptional} />
    }
    case 'flag':
      return <Check name={name}>{label}</Check>
    case 'choice':
      return <Choice name={name} label={label} choices={choices} />
    case 'text':
      return <TextField name={name} label={label} value={text} isRequired={!isOptional} />
    case 'json':
      return (
        <LongField
          name={name}
          label={label}
          value={text}
          placeholder={placeholder}
          isRequired={!isOptional}
        />
      )
  }
}
