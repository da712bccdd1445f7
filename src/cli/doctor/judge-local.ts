import type { Reply } from '../answer.js'
import { exitCodes } from '../exit-codes.js'
import { networkProblem } from '../network-problem.js'
import { type Finding, fail, ok, skip, warn } from './finding.js'
import type { CallbackFacts, KeyFacts, LocalFacts, Setting } from './local-facts.js'

const least = [20, 19] as const

export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > least[0] || (major === least[0] && minor >= least[1])
  if (isEnough) return ok('node', version)
  return fail('node', `${version} is too old`, `Install Node ${least.join('.')} or newer.`, exitCodes.usage)
}

export function judgeMerchant({ problem }: Setting): Finding {
  // The code itself is not shown: somebody may have put a secret in its place.
  if (problem === undefined) return ok('merchant code', 'set')
  return fail(
    'merchant code',
    problem,
    'Set GATEWAY_MERCHANT_CODE to the merchant ID of your enrolment.',
    exitCodes.usage,
  )
}

export function judgeAddress({ address, checksCertificates }: LocalFacts, url: URL | undefined): Finding {
  if (address.problem !== undefined || url === undefined) {
    return fail(
      'base URL',
      address.problem ?? 'is not an address.',
      'Set GATEWAY_BASE_URL to the address from your enrolment, such as https://gateway.example/api.',
      exitCodes.usage,
    )
  }
  if (!checksCertificates && url.protocol === 'https:') {
    return fail(
      'base URL',
      'NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way can read tokens',
      'Unset it; NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.',
      exitCodes.usage,
    )
  }
  if (url.protocol === 'https:') return ok('base URL', `https, host ${url.host}`)
  return ok('base URL', `plain http, which is right for this machine only, host ${url.host}`)
}

/** Said only where it is wrong: the line on the signature says which unit is right. */
export function judgeTimestampUnit({ problem }: Setting): Finding[] {
  if (problem === undefined) return []
  const fix = 'Unset GATEWAY_TIMESTAMP_UNIT for seconds, or set it to milliseconds.'
  return [fail('timestamp', problem, fix, exitCodes.usage)]
}

export function judgeKey({ kind, problem, bits, fingerprint, fileMode = 0 }: KeyFacts): Finding {
  if (problem !== undefined) {
    return fail(
      'key',
      problem,
      'Give the private RSA key in GATEWAY_PRIVATE_KEY or GATEWAY_PRIVATE_KEY_FILE; "merchant-gateway keygen" makes one.',
      exitCodes.usage,
    )
  }
  if (kind === 'secret') {
    return warn(
      'key',
      'none: the merchant secret is used, which the gateway has deprecated',
      'Make a key with "merchant-gateway keygen", hand its public half to the platform, and unset GATEWAY_MERCHANT_SECRET.',
    )
  }
  const described = [
    bits === undefined ? 'RSA' : `RSA, ${bits} bits`,
    ...(fingerprint === undefined ? [] : [`SHA-256 of the public half ${fingerprint}`]),
  ].join(', ')
  if ((fileMode & 0o077) === 0) return ok('key', described)
  return warn(
    'key',
    `${described}; its file is open to others (mode ${fileMode.toString(8).padStart(4, '0')})`,
    'chmod 600 the file.',
  )
}

/** @param listening who answers at the callback URL; absent where it was not asked. */
export function judgeCallbacks(facts: CallbackFacts, listening?: Reply): Finding[] {
  const { secrets, hasUrl } = facts
  if (secrets === 0 && !hasUrl) {
    return [
      warn(
        'callbacks',
        'neither GATEWAY_CALLBACK_SECRET nor GATEWAY_CALLBACK_URL is set: statuses are found by polling alone',
        'Set both to receive callbacks; "openssl rand -hex 32" makes a secret.',
      ),
    ]
  }
  return [judgeSecret(facts), judgeUrl(facts, listening)]
}

function judgeSecret({ secrets, secretProblem }: CallbackFacts): Finding {
  const check = 'callback key'
  const fix = 'Set GATEWAY_CALLBACK_SECRET to 32 random bytes or more; "openssl rand -hex 32" makes them.'
  if (secrets === 0) return fail(check, 'GATEWAY_CALLBACK_SECRET is not set', fix, exitCodes.usage)
  if (secretProblem !== undefined) return fail(check, secretProblem, fix, exitCodes.usage)
  return ok(check, secrets === 1 ? 'one, long enough' : `${secrets}, long enough; the first one signs`)
}

/** Whether there is an address that is worth asking. */
export function canBeAsked({ hasUrl, urlProblem, urlIsLocal, gatewayIsElsewhere }: CallbackFacts): boolean {
  return hasUrl && urlProblem === undefined && !(urlIsLocal && gatewayIsElsewhere)
}

function judgeUrl(
  { hasUrl, urlProblem, urlIsLocal, gatewayIsElsewhere }: CallbackFacts,
  listening: Reply | undefined,
): Finding {
  const check = 'callback URL'
  const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches your handler.'
  if (!hasUrl) {
    return skip(
      check,
      'GATEWAY_CALLBACK_URL is not set; that is right where the program gives publicUrl itself',
    )
  }
  if (urlProblem !== undefined) return fail(check, urlProblem, fix, exitCodes.usage)
  if (urlIsLocal && gatewayIsElsewhere)
    return fail(check, 'leads to this machine, where the gateway is not', fix, exitCodes.usage)
  if (listening?.kind === 'none') {
    return warn(
      check,
      `${networkProblem(listening.code)}, asked from this machine`,
      'Start your handler, and check GATEWAY_CALLBACK_URL: the gateway sends callbacks there.',
    )
  }
  if (listening !== undefined && listening.status >= 500) {
    return warn(
      check,
      `answered ${listening.status}`,
      'Look at your handler, and at what stands before it: the gateway would be answered the same.',
    )
  }
  const who = listening === undefined ? 'well formed' : `somebody answers there (${listening.status})`
  return ok(check, `${who}; "merchant-gateway-sandbox callback send" tries it`)
}
