import type { Entry, Story } from '../control/messages.js'
import { count } from './format.js'
import { CallbackStep, RequestStep, StatusStep } from './timeline-steps.js'

/** Everything that happened to a payment, the oldest first. */
export function Timeline({ story }: { story: Story }) {
  const { entries, omitted, payment } = story
  const keys = keysOf(entries)
  return (
    <section class="story" aria-labelledby="story">
      <h3 id="story">Story</h3>
      {omitted > 0 && <p class="lead">{count(omitted, 'older step')} left out.</p>}
      <ol class="timeline">
        {entries.map((entry, index) => (
          <Step key={keys[index]} entry={entry} begin={payment.createdAt} />
        ))}
      </ol>
    </section>
  )
}

function Step({ entry, begin }: { entry: Entry; begin: number }) {
  switch (entry.type) {
    case 'request':
      return <RequestStep entry={entry} begin={begin} />
    case 'status':
      return <StatusStep entry={entry} begin={begin} />
    case 'callback':
      return <CallbackStep entry={entry} begin={begin} />
  }
}

/** Keys that stay when steps are added before and after, so that what the reader has opened stays open. */
function keysOf(entries: readonly Entry[]): string[] {
  const seen = new Map<string, number>()
  return entries.map(({ type, at }) => {
    const nth = seen.get(`${type} ${at}`) ?? 0
    seen.set(`${type} ${at}`, nth + 1)
    return `${type} ${at} ${nth}`
  })
}
