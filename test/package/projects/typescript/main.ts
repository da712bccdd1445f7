import { takePayin } from './payin.js'

takePayin('order-1').then(
  (payin) => console.log(payin?.process?.status),
  (error: unknown) => {
    console.error(error)
    process.exitCode = 1
  },
)
