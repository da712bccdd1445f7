// A refund has a row with an id of its own, which is stored before the call.
import { serve } from '../harness/shop.mjs'

serve()
