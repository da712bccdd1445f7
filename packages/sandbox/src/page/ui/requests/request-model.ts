import { computed } from '@preact/signals'
import { createListModel } from '../list/list-model.js'
import { route } from '../route/route.js'
import { requests } from '../server/server.js'

const filters = computed(() => {
  const { place, query } = route.value
  return place.view === 'requests' ? query.toString() : null
})

export const requestList = createListModel(filters, requests)
