import { loadOpened } from './load-opened.js'
import { opened } from './route.js'
import { paymentHistory } from './server.js'

/** The history of the payment that is open. */
export const current = loadOpened(opened, ({ kind, id }) => paymentHistory(kind, id))
