import { computed, effect, signal } from '@preact/signals'
import type { RequestListing } from '../../api/requests/requests.js'
import { count } from '../parts/format.js'
import { CodeText } from '../parts/marks.js'
import { route } from '../route/route.js'
import { onChange, oneAtATime } from '../server/live.js'
import { requests } from '../server/server.js'

/** The refused requests after which something has to be fixed: how many, and the last one. */
export const toFix = signal<RequestListing | null>(null)

onChange(
  oneAtATime(async () => {
    const query = new URLSearchParams({ toFix: 'yes', limit: '1' })
    toFix.value = await requests(query).catch(() => toFix.peek())
  }),
)

/** The number of the last one that the reader has seen among the requests. */
const seen = signal(0)

effect(() => {
  const { rows: [last] = [] } = toFix.value ?? {}
  // A sandbox that was reset, or begun anew, counts anew.
  if (last === undefined) seen.value = 0
  else if (route.value.place.view === 'requests') seen.value = last.number
})

/** Whether one came since the reader looked: the others are counted, and stand out no more. */
export const isNewToFix = computed(() => (toFix.value?.rows[0]?.number ?? 0) > seen.value)

/** Says that there is something to fix, where nothing else would show it. */
export function RefusedNotice() {
  const { total = 0, rows: [last] = [] } = toFix.value ?? {}
  if (last === undefined) return null
  return (
    <div class="meaning" data-tone="bad">
      <p>
        <b>{count(total, 'refused request needs', 'refused requests need')} a fix</b>; the last:{' '}
        <code>
          <CodeText>{`${last.status} ${last.code}`}</CodeText>
        </code>{' '}
        {last.what}
      </p>
      <p>
        <a href={`#/request/${last.number}?result=refused`}>See what it means and how to fix it</a>
      </p>
    </div>
  )
}
