// One row for each number, with the id in it before the call; the customer waits for the gateway.
import { serve } from '../harness/shop.mjs'

serve()
