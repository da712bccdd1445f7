import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { GatewayClient, isGatewayError, money } from '../../src/index.js'

/** What this package, its options, its requests, Node and the language ask an object for. */
const names = `
  get set value writable enumerable configurable toJSON cause name message stack code field option issues
  signal aborted timeoutMs deadlineMs retries priority joined isBulk startedAt now fetch live options
  idPayin idPayout extra paymentRequested paymentMethod money amount currencyCode account accountNumber accountName
  callbackUrl returnUrl paymentMethodCode process status processedAt isTest statusCode outcome attempts
  headers body method path route routeTemplate kind data error token expiresIn credential sign readText allowEmpty
  action operations validitySecs timestamp lane shape identify issue lacks shows onSent freshConnection repeatable
  secrets fresh advice gave tooLong reason failure meaning length done sent details elsewhere retryAfterMs
  alsoAnswer answerIsSecret retryNotFound notCompared differences called payment result then id next
`
  .trim()
  .split(/\s+/)

const forms: Readonly<Record<string, PropertyDescriptor>> = {
  'a text': { value: 'evil', writable: true },
  'an object': { value: { evil: 1 }, writable: true },
  'a getter that throws': {
    get() {
      throw new TypeError('a getter on Object.prototype')
    },
  },
}

const payout = (idPayout: string) => ({
  idPayout,
  paymentRequested: { money: money('25.00', 'EUR') },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '0012345678' } },
})
const secret = 'a-secret-of-at-least-32-bytes-for-tests'

function clean(): void {
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
}

/** What became of each step, with `name` on `Object.prototype` from the making of the client on. */
async function steps(name?: string, form: PropertyDescriptor = {}): Promise<readonly string[]> {
  const sandbox = createSandbox({ rateLimit: false })
  const options = { ...sandbox.clientOptions(), deadlineMs: 3000, timeoutMs: 1000, retries: 0 }
  await using before = new GatewayClient(options)
  await before.payouts.create(payout('w-1'))
  sandbox.payouts.get('w-1').pay()
  const became: string[] = []
  const step = async (what: string, run: () => Promise<unknown>) => {
    try {
      await run()
      became.push(`${what}: works`)
    } catch (error) {
      const isOurs = isGatewayError(error) && error.message.endsWith('.')
      became.push(`${what}: ${isOurs ? 'an error of ours' : String(error)}`)
    }
  }
  if (name !== undefined) Object.defineProperty(Object.prototype, name, { ...form, configurable: true })
  let client: GatewayClient | undefined
  try {
    const made = new GatewayClient(options)
    client = made
    const receiver = new CallbackReceiver({
      client: made,
      publicUrl: 'https://shop.example',
      secrets: [secret],
    })
    await step('create', () => made.payouts.create(payout('w-2')))
    await step('retrieve', () => made.payouts.retrieve('w-1'))
    await step('retrieve what is not there', () => made.payouts.retrieve('w-3'))
    await step('wait', () => made.payouts.waitFor('w-1', { maxWaitMs: 50 }))
    await step('callback', async () => {
      const { status } = await receiver.receive(receiver.urlFor({ idPayout: 'w-1' }))
      // 503: the gateway calls again.
      if (status !== 204 && status !== 503) throw new Error(`answered ${status}`)
    })
  } finally {
    clean()
    await client?.close()
    await sandbox.close()
  }
  return became
}

// What is loaded when it is needed is loaded now: loading is the test runner's, which stops at these names itself.
beforeAll(async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  expect(await steps()).toEqual([
    'create: works',
    'retrieve: works',
    'retrieve what is not there: an error of ours',
    'wait: works',
    'callback: works',
  ])
})
afterEach(clean)

// Not tried: `then` (no promise of the language works), and getters for `id` and `next` (no timer and no event of Node's).
const cases = names
  .filter((name) => !['then', 'id', 'next'].includes(name))
  .flatMap((name) => Object.entries(forms).map(([what, form]) => ({ name, what, form })))

test.each(cases)('$name on Object.prototype as $what gives no raw error', async ({ name, form }) => {
  const became = await steps(name, form)
  expect(became.filter((one) => !/: (?:works|an error of ours)$/.test(one))).toEqual([])
})

test.each(['then', 'id', 'next'])('%s on Object.prototype as a text changes nothing', async (name) => {
  expect(await steps(name, { value: 'evil', writable: true })).toEqual(await steps())
})
