import { loadOpened } from './load-opened.js'
import { opened } from './route.js'
import { story } from './server.js'

/** The story of the payment that is open. */
export const current = loadOpened(opened, ({ kind, id }) => story(kind, id))
