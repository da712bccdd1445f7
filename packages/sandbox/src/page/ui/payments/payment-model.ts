import { ListModel } from '../list/list-model.js'
import { opened } from '../route/route.js'
import { loadOpened } from '../server/load-opened.js'
import { paymentHistory, payments } from '../server/server.js'

export const paymentList = new ListModel('payments', payments)

export const current = loadOpened(opened, ({ kind, id }) => paymentHistory(kind, id))
