import type { Rehearsed } from '../../control/rehearse/rehearse-runner.js'

interface HistoryProps {
  readonly one: Rehearsed
  /** The history without a fault, beside which this one stands: what it doesn't have is marked. */
  readonly beside: Rehearsed | null
}

export function RehearsedHistory({ one, beside }: HistoryProps) {
  const differs = beside === null ? null : differences(one.history, beside.history)
  return (
    <section aria-label={one.title}>
      <h4>{one.title}</h4>
      <ol>
        {one.history.map(({ atMs, who, text }, index) => (
          <li key={`${index} ${atMs}`} data-who={who} data-differs={differs?.has(index) ?? false}>
            <time>{`+${(atMs / 1000).toFixed(1)} s`}</time> <b>{who}</b> <bdi>{text}</bdi>
          </li>
        ))}
      </ol>
      {one.payments.map(({ kind, id }) => (
        <p key={id} class="fine">
          <a href={`#/${kind}/${encodeURIComponent(id)}`}>
            Open the {kind} <bdi>{id}</bdi>
          </a>
        </p>
      ))}
    </section>
  )
}

/** Which lines the history beside it does not have, or not so often: a second payment begins as the first did. */
function differences(history: Rehearsed['history'], beside: Rehearsed['history']): ReadonlySet<number> {
  const left = new Map<string, number>()
  for (const { text } of beside) left.set(withoutNumbers(text), (left.get(withoutNumbers(text)) ?? 0) + 1)
  const differs = history.flatMap(({ text }, index) => {
    const line = withoutNumbers(text)
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count > 0 ? [] : [index]
  })
  return new Set(differs)
}

/** Carts and ids have other numbers each time. A status of HTTP is what may differ. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/[\w-]*\d{4,}[\w-]*…?|[0-9a-f]{8}…/g, '#')
}
