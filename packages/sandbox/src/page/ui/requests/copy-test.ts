import { type Copied, callOf, hasMasks, literal, masked, paymentAt } from './copy-text.js'

/** What a request met, as far as the page knows it. */
export interface CopiedFault {
  readonly kind: string
  readonly route: string
  /** Whether it was added with parameters, which a request does not show. */
  readonly hasParameters: boolean
}

/** The request as a test that runs as it is, with a sandbox of its own. */
export function asTest(request: Copied, basePath: string, fault: CopiedFault | null): string {
  const { method, path } = request
  const [endpoint = ''] = path.slice(basePath.length).split('?')
  const { gateway = '', sandbox = '', vitest = 'expect, test', steps } = checkOf(request, endpoint, basePath)
  const lines = [
    "const sandbox = createSandbox({ clock: 'virtual' })",
    'const client = new GatewayClient(sandbox.clientOptions())',
    ...(fault === null ? [] : [faultLine(fault)]),
    ...(hasMasks(request) ? [`// ${masked}`] : []),
    ...steps,
    'await client.close()',
    'await sandbox.close()',
  ]
  return [
    `import { GatewayClient${gateway} } from 'merchant-gateway'`,
    `import { createSandbox${sandbox} } from 'merchant-gateway-sandbox'`,
    `import { ${vitest} } from 'vitest'`,
    '',
    `test(${literal(`${method} ${endpoint}`)}, async () => {`,
    ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`),
    '})',
    '',
  ].join('\n')
}

interface Check {
  /** What is imported beside what every test needs. */
  readonly gateway?: string
  readonly sandbox?: string
  readonly vitest?: string
  readonly steps: readonly string[]
}

function checkOf(request: Copied, endpoint: string, basePath: string): Check {
  const call = `client.${callOf(request, basePath)}`
  const payment = paymentAt(endpoint)
  if (payment === undefined) return { steps: [`expect(await ${call}).toBeDefined()`] }
  const { resource, id } = payment
  if (request.method === 'POST') {
    const steps = [`await ${call}`, `expectExactlyOnce(sandbox, ${literal(id)})`]
    return { sandbox: ', expectExactlyOnce', vitest: 'test', steps }
  }
  const [name, method] = resource === 'payins' ? ['idPayin', 'VAPAY'] : ['idPayout', 'BANK_TRANSFER']
  const account = { accountName: 'Jana Example', accountNumber: '000123-0123456789' }
  const order = {
    [name]: id,
    paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: method, paymentOperatorCode: 'HARBOUR', account },
  }
  const steps = [
    `await client.${resource}.create(${literal(order)})`,
    'await sandbox.clock.advance(60_000)',
    `expect(statusOf(await ${call})).toBe('SUCCESS')`,
  ]
  return { gateway: ', statusOf', steps }
}

function faultLine({ kind, route, hasParameters }: CopiedFault): string {
  return hasParameters
    ? `// It met the fault ${kind}: add it by sandbox.fault, with its parameters.`
    : `sandbox.fault({ route: ${literal(route)}, action: { kind: ${literal(kind)} } })`
}
