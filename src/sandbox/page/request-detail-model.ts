import { loadOpened } from './load-opened.js'
import { openedEntry } from './route.js'
import { request } from './server.js'

/** The request that is open. */
export const currentRequest = loadOpened(openedEntry, request)
