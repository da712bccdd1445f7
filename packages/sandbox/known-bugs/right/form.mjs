// A form that is taken leads to another page (303), and that page says in German whether it is paid.
import { serve } from '../harness/shop.mjs'

serve({}, ({ state, shipped = 0 }, { method, url }) => {
  if (method === 'POST') return { status: 303, headers: { location: url }, text: '' }
  return { text: `<p>Status: ${state === 'paid' ? 'bezahlt' : 'offen'}</p><p>Lieferungen: ${shipped}</p>` }
})
