import { computed } from '@preact/signals'
import { createListModel } from '../list/list-model.js'
import { route } from '../route/route.js'
import { payments } from '../server/server.js'

const filters = computed(() => {
  const { place, query } = route.value
  return place.view === 'payments' ? query.toString() : null
})

export const paymentList = createListModel(filters, payments)
