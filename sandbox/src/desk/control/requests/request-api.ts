import { PageRefusal } from '../http/responses.js'
import type { Mask } from '../mask/mask.js'
import type { RequestDetail, RequestListing } from '../messages/requests.js'
import type { PageParts } from '../parts/parts.js'
import { FailedCallbacks } from './failed-callbacks.js'
import { requestDetail } from './request-detail.js'
import { requestListing } from './request-listing.js'
import { requestQuery } from './request-query.js'
import { RequestSearch } from './request-search.js'

/** What the page asks for about requests. */
export interface RequestApi {
  list(query: URLSearchParams): RequestListing
  /** @throws PageRefusal */
  find(key: string | undefined): RequestDetail
}

export function createRequestApi(parts: PageParts, mask: Mask): RequestApi {
  const failed = new FailedCallbacks(parts, mask)
  const search = new RequestSearch(mask)
  return {
    list: (query) => requestListing(parts, { failed, search, mask }, requestQuery(query)),
    find(key = '') {
      const found = key.startsWith('c') ? failed.find(Number(key.slice(1))) : requestOf(Number(key))
      if (found === undefined) throw new PageRefusal(404, 'The sandbox holds no request with this number.')
      return found
    },
  }

  function requestOf(number: number): RequestDetail | undefined {
    const request = parts.log.toArray().find((logged) => logged.number === number)
    return request && requestDetail(request, parts, mask)
  }
}
