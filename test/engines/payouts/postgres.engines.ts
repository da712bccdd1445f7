import { testPayouts } from './test-payouts.js'

testPayouts('postgres')
