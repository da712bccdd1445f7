import { signal } from '@preact/signals'
import type { RequestListing } from '../../control/requests/request-listing.js'
import { count } from '../parts/format.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { onNews } from '../server/live.js'
import { requests } from '../server/server.js'

/** The requests that the gateway has refused: how many, and the last one. */
export const refused = signal<RequestListing | null>(null)

onNews(
  oneAtATime(async () => {
    const query = new URLSearchParams({ status: 'refused', toFix: 'yes', limit: '1' })
    refused.value = await requests(query).catch(() => refused.peek())
  }),
)

/** Says that requests were refused, where nothing else would show it. */
export function RefusedNotice() {
  const { total = 0, rows: [last] = [] } = refused.value ?? {}
  if (last === undefined) return null
  return (
    <div class="meaning" data-tone="bad">
      <p>
        <b>{total === 1 ? 'A request was refused' : `${count(total, 'request')} were refused`}</b>; the last:{' '}
        <code>
          {last.status} {last.code}
        </code>{' '}
        {last.what}
      </p>
      <p>
        <a href={`#/request/${last.number}?status=refused`}>See what it means and how to fix it</a>
      </p>
    </div>
  )
}
