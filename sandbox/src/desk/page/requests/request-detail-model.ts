import { openedEntry } from '../route/route.js'
import { loadOpened } from '../server/load-opened.js'
import { request } from '../server/server.js'

/** The request that is open. */
export const currentRequest = loadOpened(openedEntry, request)
