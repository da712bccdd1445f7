import { opened } from '../route/route.js'
import { loadOpened } from '../server/load-opened.js'
import { paymentHistory } from '../server/server.js'

/** The history of the payment that is open. */
export const current = loadOpened(opened, ({ kind, id }) => paymentHistory(kind, id))
