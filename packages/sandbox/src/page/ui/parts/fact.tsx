import type { ComponentChildren } from 'preact'

interface Props {
  readonly name: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** One of a list of facts. */
export function Fact({ name, isWide = false, children }: Props) {
  return (
    <div data-wide={isWide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
