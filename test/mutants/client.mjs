// @ts-check

/** @type {readonly import('./mutant.mjs').Mutant[]} */
export const clientMutants = [
  {
    name: 'fresh-id-on-retry',
    says: 'A retry asks for the payment under another id.',
    file: 'src/client/http/attempt.ts',
    edits: [
      [
        'path: parts.basePath + request.path,',
        "path: parts.basePath + request.path + (attempts.count > 1 && request.lane === 'create' && request.method === 'POST' ? '-' + attempts.count : ''),",
      ],
    ],
  },
  {
    name: 'server-error-is-a-refusal',
    says: "A 5xx counts as 'not-accepted'.",
    file: 'src/client/http/failure.ts',
    edits: [['status === 408 || status < 400 || status >= 500', 'status === 408 || status < 400']],
  },
  {
    name: '408-is-a-refusal',
    says: "A 408 counts as 'not-accepted'.",
    file: 'src/client/http/failure.ts',
    edits: [['status === 408 || status < 400 || status >= 500', 'status < 400 || status >= 500']],
  },
  {
    name: '429-may-be-processed',
    says: "A 429 counts as 'unknown'.",
    file: 'src/client/http/failure.ts',
    edits: [['status === 408 || status < 400', 'status === 408 || status === 429 || status < 400']],
  },
  {
    name: 'evidence-shrinks',
    says: 'What a later attempt shows undoes what an earlier one may have done.',
    file: 'src/client/http/failure.ts',
    edits: [['return weight[a] >= weight[b] ? a : b', 'return b']],
  },
  {
    name: 'any-page-is-proof',
    says: "A 2xx of a proxy counts as 'accepted'.",
    file: 'src/client/http/failure.ts',
    edits: [["return failure.shows === 'asked' ? 'certain' : 'possible'", "return 'certain'"]],
  },
  {
    name: 'timeout-is-unsent',
    says: 'A time-out counts as if nothing had been sent.',
    file: 'src/client/http/transport/fetch-transport.ts',
    edits: [["resolve({ kind: 'timeout', sent: true })", "resolve({ kind: 'timeout', sent: false })"]],
  },
  {
    name: 'reset-is-unsent',
    says: 'A connection that broke counts as one that was never made.',
    file: 'src/client/http/transport/fetch-transport.ts',
    edits: [['const sent = diagnostics.isWritten || !neverConnected(cause)', 'const sent = false']],
  },
  {
    name: 'refused-connection-is-sent',
    says: 'A connection that was never made counts as one that broke.',
    file: 'src/client/http/transport/fetch-transport.ts',
    edits: [['const sent = diagnostics.isWritten || !neverConnected(cause)', 'const sent = true']],
  },
  {
    name: 'abort-is-unsent',
    says: 'A caller who gives up is told that nothing was sent, whatever was.',
    file: 'src/client/http/transport/fetch-transport.ts',
    edits: [["resolve({ kind: 'aborted', sent: true,", "resolve({ kind: 'aborted', sent: false,"]],
  },
  {
    name: 'timer-ends-at-the-headers',
    says: 'A body that never ends is waited for without a limit.',
    file: 'src/client/http/transport/fetch-transport.ts',
    edits: [
      [
        "timer = setTimeout(() => resolve({ kind: 'timeout', sent: true }), timeoutMs)",
        "timer = setTimeout(() => resolve({ kind: 'timeout', sent: true }), timeoutMs); Reflect.set(this, 'limit', timer)",
      ],
      [
        '      onSent()\n      if (!diagnostics.isExpected) this.#conn',
        "      onSent()\n      clearTimeout(Reflect.get(this, 'limit'))\n      if (!diagnostics.isExpected) this.#conn",
      ],
    ],
  },
  {
    name: 'conflict-is-an-error',
    says: 'A 409 is an error, and nobody looks whose payment it is.',
    file: 'src/client/payments/payment-calls.ts',
    edits: [['alsoAnswer: conflictStatus,', '']],
  },
  {
    name: 'conflict-is-no-proof',
    says: "After a 409 whose look-up fails, the outcome is 'not-accepted'.",
    file: 'src/client/payments/payment-calls.ts',
    edits: [
      ["    call.learn('possible')\n", ''],
      ["meaningAfter409(kind, id, 'certain')", "meaningAfter409(kind, id, 'none')"],
    ],
  },
  {
    name: 'conflict-is-the-same',
    says: 'After a 409 any payment that is found passes for the one that was asked for.',
    file: 'src/client/payments/payment-calls.ts',
    edits: [['    if (differences.length === 0) {', '    if (differences.length < 9) {']],
  },
  {
    name: 'compares-without-the-amount',
    says: 'A payment over other money passes for the one that was asked for.',
    file: 'src/client/payments/compare.ts',
    edits: [
      [
        "    ['paymentRequested.money.amount', field(wanted, 'amount'), field(shown, 'amount'), Number],\n",
        '',
      ],
    ],
  },
  {
    name: 'keeps-a-failed-token-request',
    says: 'A token request that failed is the answer to everybody who asks later.',
    file: 'src/client/auth/token-keeper.ts',
    edits: [
      ['minting.token.then(end, end)', 'minting.token.then(() => undefined, end)'],
      ['if (minting.waiting === 0) this.#end(scope, minting)', ''],
    ],
  },
  {
    name: 'keeps-a-refused-token',
    says: 'A token that was refused is used again.',
    file: 'src/client/http/attempt.ts',
    edits: [['if (answer.status === 401 && token !== undefined) request.token?.drop(token)', '']],
    tests: ['test/client/auth/cached-tokens.test.ts'],
  },
  {
    name: 'mints-for-each-call',
    says: 'Calls that come together each ask for a token.',
    file: 'src/client/auth/token-keeper.ts',
    edits: [['this.#minting.get(scope.key) ?? this.#start', 'this.#start']],
    tests: ['test/client/auth/token-keeper.test.ts'],
  },
  {
    name: 'retries-without-a-permit',
    says: 'A retry goes out without a permit.',
    file: 'src/client/http/attempt.ts',
    edits: [
      [
        'let permit = await takePermit(parts, call, laneOf(request, call.limits), again)',
        'let permit: Granted | Failure = again ? { at: performance.now(), useBefore: Number.POSITIVE_INFINITY } : await takePermit(parts, call, laneOf(request, call.limits), again)',
      ],
    ],
  },
  {
    name: 'permit-used-late',
    says: 'A permit is used however old it is.',
    file: 'src/client/http/limit/queue.ts',
    edits: [['return performance.now() <= useBefore && this.#pause?.overtook(at) !== true', 'return true']],
    tests: ['test/client/http/limit/queue.test.ts'],
  },
  {
    name: 'queue-without-the-deadline',
    says: 'A call waits for its permit for as long as it takes.',
    file: 'src/client/http/limit/queue.ts',
    edits: [
      [
        'setTimeout(this.#outOfTime, remainingMs, waiter)',
        'setTimeout(this.#outOfTime, remainingMs * 100, waiter)',
      ],
    ],
  },
  {
    name: 'attempt-without-the-deadline',
    says: "An attempt may take longer than the call's deadline.",
    file: 'src/client/http/attempt.ts',
    edits: [
      [
        'Math.min(permittedAt + timeoutMs - performance.now(), call.remainingMs)',
        'permittedAt + timeoutMs - performance.now()',
      ],
    ],
  },
  {
    name: 'backs-off-over-the-deadline',
    says: "A retry is waited for that comes after the call's deadline.",
    file: 'src/client/http/retry-policy.ts',
    edits: [['    attempt > retries ||\n    delayMs >= remainingMs\n', '    attempt > retries\n']],
  },
  {
    name: 'retries-one-more',
    says: 'One retry more than was allowed.',
    file: 'src/client/http/retry-policy.ts',
    edits: [['attempt > retries ||', 'attempt > retries + 1 ||']],
    tests: ['test/client/http/retry-policy.test.ts'],
  },
  {
    name: 'window-without-a-guard',
    says: 'Ten requests in exactly a second, which a network squeezes to eleven.',
    file: 'src/client/http/limit/spacing.ts',
    edits: [['const guardMs = 80', 'const guardMs = 0']],
  },
  {
    name: 'eleven-a-second',
    says: 'One request more than the gateway allows.',
    file: 'src/client/http/limit/window-limiter.ts',
    edits: [
      [
        'this.#requests = Math.max(1, requestsPerSecond)',
        'this.#requests = Math.max(1, requestsPerSecond) + 1',
      ],
    ],
  },
  {
    name: 'counts-permits',
    says: 'Requests count from when they were permitted, and not from when they went out.',
    file: 'src/client/http/limit/window-limiter.ts',
    edits: [['this.#sentAt.push(performance.now())', 'this.#sentAt.push(this.#permittedAt)']],
    tests: ['test/client/http/limit/window-limiter.test.ts'],
  },
  {
    name: 'goes-on-after-429',
    says: 'A 429 holds nobody back.',
    file: 'src/client/http/limit/queue.ts',
    edits: [
      [
        'this.pause(this.#spacing.refused(sent, askedMs && followedMs(askedMs, leftMs), now))',
        'this.#spacing.refused(sent, askedMs && followedMs(askedMs, leftMs), now)',
      ],
    ],
    tests: ['test/client/http/limit/queue.test.ts'],
  },
  {
    name: 'wait-ends-early',
    says: 'A wait resolves at the first sight of the payment.',
    file: 'src/client/payments/watch.ts',
    edits: [['if (final) return seen', 'return seen']],
  },
  {
    name: 'wait-leaves-its-listener',
    says: "A wait that has ended still listens to its caller's signal.",
    file: 'src/client/payments/watch.ts',
    edits: [["for (const signal of this.#signals) signal.removeEventListener('abort', this.interrupt)", '']],
  },
  {
    name: 'queue-leaves-its-timer',
    says: 'The timer of a call that had its permit goes on.',
    file: 'src/client/http/limit/queue.ts',
    edits: [['    clearTimeout(timer)\n', '']],
  },
  {
    name: 'transport-leaves-its-timer',
    says: 'The timer of an attempt that was answered goes on.',
    file: 'src/client/http/transport/fetch-transport.ts',
    edits: [['      clearTimeout(timer)\n', '']],
  },
  {
    name: 'closes-at-once',
    says: 'Closing does not wait for what is on the wire.',
    file: 'src/client/http/http.ts',
    edits: [['if (this.#underWay === 0) resolve()', 'resolve()']],
    tests: ['test/client/resources/closing.test.ts'],
  },
]
