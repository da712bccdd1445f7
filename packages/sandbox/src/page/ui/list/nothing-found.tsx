import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { count } from '../parts/format.js'
import { requests } from '../server/server.js'

interface Props {
  readonly search: string
  readonly children: ComponentChildren
}

/** A search that found nothing. An order whose token is refused never comes here, and no search can find its id. */
export function NothingFound({ search, children }: Props) {
  const mentions = useSignal(0)
  const refused = useSignal(0)
  useEffect(() => {
    const ask = async (query: Readonly<Record<string, string>>, to: { value: number }) => {
      const found = await requests(new URLSearchParams({ ...query, limit: '0' })).catch(() => undefined)
      to.value = found?.total ?? 0
    }
    void ask({ search }, mentions)
    void ask({ kind: 'tokens', status: 'refused' }, refused)
  }, [search])
  return (
    <div class="no-rows">
      <p>{children}</p>
      {mentions.value > 0 && (
        <p>
          <a href={`#/requests?${new URLSearchParams({ search })}`}>
            {count(mentions.value, 'request has', 'requests have')} it
          </a>
        </p>
      )}
      {refused.value > 0 && (
        <p>
          An order whose token is refused doesn’t come this far, and its id is not here:{' '}
          <a href="#/requests?kind=tokens&status=refused">
            {count(refused.value, 'request for a token was', 'requests for a token were')} refused
          </a>
        </p>
      )}
    </div>
  )
}
