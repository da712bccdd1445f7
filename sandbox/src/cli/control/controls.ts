import { callbackFaultGroup, faultGroup } from './faults.js'
import { callback, create, payments, settle } from './payments.js'
import { rareGroup } from './rare.js'
import { callbacks, requests, resend } from './requests.js'
import { balance, clock, disarm, idle, limiter, reset, revokeTokens, shop, show } from './sandbox.js'
import type { ControlGroup } from './spec.js'

/** All that can be done with a running sandbox, in the order of the help. */
export const controls: ControlGroup = {
  name: 'control',
  does: 'See and steer a running sandbox.',
  controls: [
    show,
    payments,
    requests,
    callbacks,
    faultGroup,
    callbackFaultGroup,
    rareGroup,
    disarm,
    create,
    settle,
    callback,
    resend,
    shop,
    clock,
    limiter,
    balance,
    revokeTokens,
    idle,
    reset,
  ],
}
