/** A rule that a case has shown to be broken: what it is, how it is fixed, and which option may be missing. */
export interface Rule {
  readonly rule: string
  readonly fix: readonly string[]
  readonly hint?: string
}

const oneRowForEachOrder = [
  'on order(number):',
  '  insert into orders (number, id, state) values (number, newId(), "new")',
  '    on conflict (number) do nothing          -- number is a unique key',
  '  order = select from orders where number = number',
  '  commit                                     -- the id is stored first',
  '  answer = gateway.create(order.id, order.money)',
  '  if answer is 2xx or 409: update orders set state = "open"',
  '      where id = order.id and state = "new"',
  '  else: the order stays "new", and is sent again with the same id',
] as const

const deliverOnce = [
  'on callback(id), on return(id), on status request(id), in each sweep:',
  '  payment = gateway.get(id)                  -- believe nothing else',
  '  if payment.status != "SUCCESS": return',
  '  if payment.money != order.money: alert, return',
  '  begin',
  '    changed = update orders set state = "paid"',
  '        where id = id and state <> "paid"    -- one caller changes a row',
  '    if changed = 1: insert into deliveries (id)   -- id is a unique key',
  '  commit',
] as const

/** Rules by a short name. A report prints them with their fixes, so docs/rehearsing.md has none. */
export const rules = {
  several: {
    rule: 'An order has one payment id, stored before the first call and used by every try.',
    fix: oneRowForEachOrder,
  },
  together: {
    rule: 'Of two requests for one order in the same moment the database lets one make the id.',
    fix: oneRowForEachOrder,
  },
  shared: {
    rule: 'An id belongs to one order for ever, and no restart begins to count anew.',
    fix: [
      'id = newId()                                 -- random, such as a UUID; or',
      'id = shop + environment + next value of a sequence of the database',
      'insert into orders (number, id, state) ...   -- id is a unique key',
    ],
  },
  undelivered: {
    rule: 'What is paid is delivered, also when the application ends between the two.',
    fix: [
      'in one transaction: state = "paid", and a row in deliveries  -- id is a unique key',
      'every minute, and after a start:',
      '  for delivery that was not made: deliver, with its id; mark it as made',
    ],
    hint: 'A slower application needs --wait.',
  },
  none: {
    rule: 'What was ordered and stored is sent until the gateway has taken or refused it: 429, 503 and silence are no refusal.',
    fix: [
      'on order(number): store the order with its id and state "new"; commit; answer',
      'every second, and after a start:',
      '  for order in select from orders where state = "new":',
      '    answer = gateway.create(order.id, order.money)',
      '    2xx or 409:              state = "open"',
      '    429, 5xx, no response:     leave it "new", try later, with the same id',
      '    401:                     ask for a new token, try again',
      '    killed meanwhile:        a lock or "running" has an end in time',
      '    400 or another refusal:  state = "refused", tell the customer',
    ],
    hint: 'A slower application needs --wait.',
  },
  money: {
    rule: 'Every try of an order asks for the same money and the same account as the first.',
    fix: [
      'on order(number):',
      '  order = stored order of that number, or a new one with id, money and account',
      '  store it; commit',
      '  gateway.create(order.id, order.money, order.account)   -- what was stored,',
      '                                              -- and not computed again',
    ],
  },
  late: {
    rule: 'A payment that has succeeded becomes a paid order, whatever was missed, and whatever the shop had decided before.',
    fix: [
      'on callback(id):',
      '  order = select from orders where id = id',
      '  if no order: answer 503                     -- it is sent again',
      '  update(order); answer 200',
      'when somebody looks at the order, and every minute:',
      '  for order where state <> "paid" and (open, or given up): update(order)',
      'update(order):',
      "  if gateway.get(order.id) is SUCCESS and its money is the order's:",
      '                                              -- amount and currency',
      '    state = "paid", also from "expired" and "failed"; deliver, or pay back',
      '  else, and only where state <> "paid": what it says    -- it may be stale',
    ],
    hint: 'A slower application needs --wait, and another response another --paid.',
  },
  unread: {
    rule: 'The response of --status has to show whether an order is paid.',
    fix: ['--paid names what the response contains when the order is paid: a text, state=paid, or 200.'],
  },
  early: {
    rule: 'An order is paid when a status request says SUCCESS and shows all of its money; a callback, a return and the response to a create prove nothing.',
    fix: deliverOnce,
  },
  shipped: {
    rule: 'Of all callers that see one payment paid, one delivers: the database decides which.',
    fix: deliverOnce,
  },
  price: {
    rule: 'An amount is in units of its currency: 19.90 EUR and not 1990, and 1990 JPY.',
    fix: [
      'wire = { amount: 19.90, currencyCode: "EUR" }      -- 1990 cents / 100',
      'cents = round(19.90 * 100)                         -- floor makes 1989 of it',
      'wire = { amount: 1990, currencyCode: "JPY" }       -- a yen has no decimals',
      'decimals(currency): EUR 2, JPY 0, KWD 3            -- a table',
    ],
    hint: 'An order that costs something else needs another --price.',
  },
  refund: {
    rule: 'A refund sends what was paid back to the account that has paid.',
    fix: [
      'on refund(order):',
      '  payin = gateway.get(order.id)              -- SUCCESS, money, account',
      '  refund = stored refund of the order, or a new one with an id; commit',
      '  gateway.payout(refund.id, payin.money, payin.account)',
    ],
    hint: 'Another account has to stand in --action, and another sum in --price.',
  },
  unknown: {
    rule: 'A 409 to a create says that the payment is there: its status is requested, and it is no failure.',
    fix: [
      'answer = gateway.create(order.id, order.money)',
      'if answer is 409:',
      '  payment = gateway.get(order.id)',
      '  if payment.money = order.money: go on as after a 2xx',
      '  else: alert, the id was used for something else',
    ],
  },
  action: {
    rule: 'Without a fault an action makes one payment for each {n}.',
    fix: ['Run the action by hand, and look into --app-log.'],
    hint: 'A slower application needs --wait.',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof rules
