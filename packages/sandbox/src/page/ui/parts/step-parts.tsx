import type { ComponentChildren } from 'preact'
import type { Forced } from '../../api/payments/entries.js'
import { CopyButton } from './announce.js'
import { after, dateTime, time } from './format.js'
import type { Tone } from './marks.js'

interface FrameProps {
  readonly type: string
  readonly tone?: Tone
  readonly at: number
  readonly begin: number
  readonly children: ComponentChildren
}

export function Frame({ type, tone, at, begin, children }: FrameProps) {
  return (
    <li class="step" data-type={type} data-tone={tone}>
      <p class="when">
        <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
          {time(at)}
        </time>
        <span>{after(at - begin)}</span>
      </p>
      <div class="what">{children}</div>
    </li>
  )
}

export function Mark({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class="mark" data-tone={tone}>
      {children}
    </span>
  )
}

export function Fault({ fault }: { fault: Forced | null }) {
  if (fault === null) return null
  return (
    <Mark tone="forced">
      fault: {fault.kind} ({fault.by})
    </Mark>
  )
}

type CodeProps = Readonly<{ label: string; canCopy?: boolean; children: string }>

export function Code({ label, canCopy = false, children }: CodeProps) {
  return (
    <figure class="code">
      <figcaption>
        {label} {canCopy && <CopyButton text={() => children}>Copy</CopyButton>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard too */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}

export function HeaderList({ headers }: { headers: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="headers">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type FactProps = Readonly<{ name: string; isWide?: boolean; children: ComponentChildren }>

export function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div data-wide={isWide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
