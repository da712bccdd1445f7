// One row for each cart, with the id in it before the call; the customer waits for the gateway.
import { serve } from '../harness/shop.mjs'

serve()
