import { type JsonObject, list, object, schema, text } from './json.js'

/** Where the specification leaves a gap that an option of the sandbox fills. */
export interface SchemaOptions {
  readonly tokenField: string
  readonly payinStatusIn: 'process' | 'top'
  readonly errorFormat: 'code' | 'errors' | 'none'
}

const time = (description: string) => text(description, { format: 'date-time' })
const method = text('Code of the payment method, such as VAPAY or BANK_TRANSFER.', { minLength: 1 })
const operator = text('Code of one of the payment operators.', { minLength: 1 })
const url = (description: string) => text(description, { format: 'uri' })

const process = {
  status: text('SUCCESS is the one status that the specification names; others are assumptions.'),
  createdAt: time('When it was created.'),
  processedAt: time('When it was processed; absent before.'),
  isTest: { type: 'boolean', description: 'Whether it is a test payment.' },
}
const payinMethod = {
  idPayin: text('The id from the path.'),
  paymentMethodCode: method,
  paymentOperatorCode: operator,
  account: schema('Account'),
  money: schema('Money'),
  expireAt: time('Until when the customer can pay.'),
  reference: text('Payment reference.'),
  returnUrl: url('As in the request.'),
}

/** The resources of section 2. What it does not promise is not required. */
export function schemas({ tokenField, payinStatusIn, errorFormat }: SchemaOptions): JsonObject {
  return {
    Money: object(
      'An amount and its currency.',
      {
        amount: { type: 'number', description: 'Integer or decimal, in the main unit.', exclusiveMinimum: 0 },
        currencyCode: text('Three-letter currency code.', { pattern: '^[A-Z]{3}$' }),
      },
      ['amount', 'currencyCode'],
    ),
    Balance: object(
      'An amount that may be 0 or below it.',
      {
        amount: { type: 'number', description: 'In the main unit.' },
        currencyCode: text('Three-letter currency code.', { pattern: '^[A-Z]{3}$' }),
      },
      ['amount', 'currencyCode'],
    ),
    Fee: object(
      'What is charged, which may be nothing.',
      {
        amount: { type: 'number', description: 'In the main unit.', minimum: 0 },
        currencyCode: text('Three-letter currency code.', { pattern: '^[A-Z]{3}$' }),
      },
      ['amount', 'currencyCode'],
    ),
    Account: object('A bank account of the customer.', {
      accountName: text('Name of its holder.', { minLength: 1 }),
      accountNumber: text('Its number.', { minLength: 1 }),
      bankCode: text('In responses to payins: the operator that was chosen.'),
      bankName: text('In responses to payins: the name of that operator.'),
    }),
    PaymentRequested: object('The money that is asked for.', { money: schema('Money') }, ['money']),
    Process: object('Where a payment stands.', process, ['status']),
    PayinMethod: object('How the customer pays.', payinMethod, [
      'idPayin',
      'paymentMethodCode',
      'account',
      'money',
      'expireAt',
      'reference',
    ]),
    PayoutMethod: object(
      'How the payout goes.',
      { idPayout: text('The id from the path.'), paymentMethodCode: method },
      ['idPayout', 'paymentMethodCode'],
    ),
    ...creates(),
    PayinFound: object(
      'A payin that is looked up. The specification promises no field of it: these are what the sandbox may show.',
      {
        paymentRequested: object('The money that was asked for.', { money: schema('Money') }),
        ...(payinStatusIn === 'top'
          ? { ...process, status: text('The status, where the gateway shows it at the top.') }
          : { process: object('Where it stands.', process) }),
        paymentMethodResponse: object('How the customer pays.', payinMethod),
      },
    ),
    PayoutFound: object(
      'A payout that is looked up.',
      {
        paymentRequested: schema('PaymentRequested'),
        process: schema('Process'),
        fee: schema('Fee'),
        paymentMethodResponse: schema('PayoutMethod'),
      },
      ['paymentRequested', 'process', 'fee', 'paymentMethodResponse'],
    ),
    CustomerAccount: object('Account data of the customer. The specification shows no field of it.', {
      idPayin: text('The id from the path.'),
      paymentRequest: { type: ['object', 'null'], description: 'From the request.' },
      paymentProcess: {
        type: ['object', 'null'],
        description: 'From the payment; null until it has succeeded.',
      },
    }),
    ...lists(),
    ...tokens(tokenField),
    Error: errors[errorFormat],
  }
}

function creates(): JsonObject {
  const money = { paymentRequested: schema('PaymentRequested') }
  const fields = {
    paymentMethodCode: method,
    paymentOperatorCode: operator,
    account: schema('Account'),
    emailAddress: text('E-mail address of the customer.', { minLength: 1 }),
  }
  const callbackUrl = url('Receives a callback at every change of the status.')
  const needed = ['paymentRequested', 'paymentMethod']
  return {
    PayinCreate: object(
      'A payin to create.',
      {
        ...money,
        paymentMethod: object('What the customer pays with.', fields, ['paymentMethodCode']),
        callbackUrl,
        returnUrl: url('Where the customer returns to.'),
      },
      needed,
    ),
    PayoutCreate: object(
      'A payout to create.',
      {
        ...money,
        paymentMethod: object('Where the money goes.', fields, ['paymentMethodCode', 'account']),
        callbackUrl,
      },
      needed,
    ),
    PayinCreated: object(
      'A payin that was accepted.',
      { ...money, paymentMethodResponse: schema('PayinMethod') },
      ['paymentRequested', 'paymentMethodResponse'],
    ),
    PayoutCreated: object(
      'A payout that was accepted.',
      { ...money, paymentMethodResponse: schema('PayoutMethod') },
      ['paymentRequested', 'paymentMethodResponse'],
    ),
  }
}

function lists(): JsonObject {
  const named = object('An operator.', { code: operator, name: text('Name to show.') }, ['code', 'name'])
  return {
    PaymentOptionsRequest: object('What is to be paid.', { money: schema('Money') }, ['money']),
    PaymentOptions: object(
      'What a customer can pay with.',
      {
        data: list(
          'One entry for each method.',
          object(
            'A method and its operators.',
            { paymentMethodCode: method, paymentOperators: list('Its operators.', named) },
            ['paymentMethodCode', 'paymentOperators'],
          ),
        ),
      },
      ['data'],
    ),
    MerchantInfo: object(
      'The merchant.',
      { channelInfo: object('The channel.', { name: text('Its name.') }, ['name']) },
      ['channelInfo'],
    ),
    Balances: object('The specification shows no field of it.', {
      data: list(
        'One entry for each currency.',
        object('A balance.', { money: schema('Balance') }, ['money']),
      ),
    }),
    Currencies: object('The specification shows no field of it.', {
      data: list(
        'One entry for each currency.',
        object('A currency.', { currencyCode: text('Three-letter currency code.') }, ['currencyCode']),
      ),
    }),
    PaymentOperators: object('The specification shows no field of it.', { data: list('Operators.', named) }),
  }
}

function tokens(tokenField: string): JsonObject {
  const common = {
    merchantCode: text('Merchant ID obtained at enrollment.'),
    validitySecs: { type: 'integer', description: 'Validity in seconds.', minimum: 1 },
    money: schema('Money'),
    timestamp: {
      type: 'integer',
      description: 'Time of the request; needed with a signature. Its unit is a gap of the specification.',
    },
    secret: text('The merchant secret, in place of a signature.', { deprecated: true }),
  }
  return {
    TokenByActionRequest: object(
      'A token for an action on one payment.',
      {
        ...common,
        action: text('What it allows.', { enum: ['PAYIN_CREATE', 'PAYIN_INFO'] }),
        idPayment: text('The payment that it is limited to.', { minLength: 1 }),
      },
      ['merchantCode', 'action', 'idPayment'],
    ),
    TokenRequest: object(
      'A token for operations.',
      {
        ...common,
        operations: {
          ...list(
            'What it allows: a method, a space, and a path, which may be a regular expression.',
            text('An operation.', { pattern: '^[A-Z]+ /' }),
          ),
          minItems: 1,
        },
      },
      ['merchantCode', 'operations'],
    ),
    Token: object(
      'The specification shows no field of it.',
      { [tokenField]: text('The access token, a JWT.') },
      [tokenField],
    ),
  }
}

const code = text('What kind of refusal it is, for programs.')
const errors: Readonly<Record<SchemaOptions['errorFormat'], JsonObject>> = {
  code: object(
    'A refusal. The specification leaves its form open.',
    { code, message: text('Why, in a sentence.') },
    ['code', 'message'],
  ),
  errors: object(
    'A refusal. The specification leaves its form open.',
    {
      errors: list(
        'Reasons.',
        object('One.', { code, detail: text('Why, in a sentence.') }, ['code', 'detail']),
      ),
    },
    ['errors'],
  ),
  none: { description: 'A refusal has no body here.' },
}
