import { signal } from '@preact/signals'
import type { RequestListing } from '../../api/requests/request-listing.js'
import { count } from '../parts/format.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { onChange } from '../server/live.js'
import { requests } from '../server/server.js'

/** The refused requests after which something has to be fixed: how many, and the last one. */
export const toFix = signal<RequestListing | null>(null)

onChange(
  oneAtATime(async () => {
    const query = new URLSearchParams({ toFix: 'yes', limit: '1' })
    toFix.value = await requests(query).catch(() => toFix.peek())
  }),
)

/** Says that there is something to fix, where nothing else would show it. */
export function RefusedNotice() {
  const { total = 0, rows: [last] = [] } = toFix.value ?? {}
  if (last === undefined) return null
  return (
    <div class="meaning" data-tone="bad">
      <p>
        <b>{count(total, 'refused request needs', 'refused requests need')} a fix</b>; the last:{' '}
        <code>
          {last.status} {last.code}
        </code>{' '}
        {last.what}
      </p>
      <p>
        <a href={`#/request/${last.number}?result=refused`}>See what it means and how to fix it</a>
      </p>
    </div>
  )
}
