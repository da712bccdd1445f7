import type { Info } from '../../control/messages/payments.js'

export type Magic = Info['magic'][number]

const names: Readonly<Record<number, string>> = {
  4: 'The payment',
  5: 'The first answer',
  6: 'The shape of answers',
  7: 'Callbacks',
  8: 'Token and clock',
}

/** What is to become of the payment, one card each, by what the sandbox's magic values say of themselves. */
export function MagicCards({ magic }: { magic: readonly Magic[] }) {
  if (magic.length === 0) return null
  const groups = [...new Set(magic.map(groupOf))]
  return (
    <fieldset class="cards">
      <legend>What happens</legend>
      <label class="magic-card">
        <input type="radio" name="magic" value="" defaultChecked />
        <span>The payment succeeds, as the sandbox is set.</span>
      </label>
      {groups.map((group) => (
        <details key={group}>
          <summary>{group}</summary>
          {cardsOf(magic, group).map(({ amount, meaning }) => (
            <label key={amount} class="magic-card">
              <input type="radio" name="magic" value={String(amount)} />
              <span>
                {meaning} <code>{amount}</code>
              </span>
            </label>
          ))}
        </details>
      ))}
    </fieldset>
  )
}

function groupOf({ amount }: Magic): string {
  return names[Math.floor(amount / 1000)] ?? 'More'
}

function cardsOf(magic: readonly Magic[], group: string): Magic[] {
  return magic.filter((one) => groupOf(one) === group)
}
