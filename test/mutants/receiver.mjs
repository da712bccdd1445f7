// @ts-check

/** @type {readonly import('./mutant.mjs').Mutant[]} */
export const receiverMutants = [
  {
    name: '204-after-a-failed-look-up',
    says: 'A callback whose payment could not be looked up is answered 204.',
    file: 'src/callbacks/delivery.ts',
    edits: [
      [
        "return { result: 'unavailable', error: found.error }",
        "return { result: 'succeeded', payment: undefined, called: false }",
      ],
    ],
  },
  {
    name: '204-after-a-failed-function',
    says: "A callback is answered 204 when the merchant's function rejected.",
    file: 'src/callbacks/delivery.ts',
    edits: [
      ["return { result: 'failed', payment, called }", "return { result: 'succeeded', payment, called }"],
    ],
  },
  {
    name: '204-when-late',
    says: 'A callback is answered 204 when its look-up takes too long.',
    file: 'src/callbacks/receiver.ts',
    edits: [
      [
        "setTimeout(() => resolve('unavailable'), lookupDeadlineMs)",
        "setTimeout(() => resolve('succeeded'), lookupDeadlineMs)",
      ],
    ],
  },
  {
    name: 'seen-before-the-function',
    says: "A status counts as dealt with before the merchant's function has resolved.",
    file: 'src/callbacks/delivery.ts',
    edits: [
      [
        '      called = true\n',
        '      called = true\n      await this.#parts.seen.set(this.#target(id), now)\n',
      ],
    ],
  },
  {
    name: 'seen-once',
    says: 'After a first status no other is delivered.',
    file: 'src/callbacks/seen.ts',
    edits: [['return { call: news || !now.final, news }', 'return { call: last === undefined, news }']],
  },
  {
    name: 'joins-a-look-up-that-has-begun',
    says: 'A callback is answered by a look-up that began before it came.',
    file: 'src/callbacks/one-at-a-time.ts',
    edits: [
      [
        'if (!entry.running.hasBegun()) entry.running.joined()\n    else entry.next ??= after(entry.running, start)',
        'entry.running.joined()',
      ],
    ],
  },
  {
    name: 'known-by-an-earlier-look',
    says: "A callback is answered by another process's look-up that began before it came.",
    file: 'src/callbacks/delivery.ts',
    edits: [['look > arrived', 'look > 0']],
    tests: ['test/callbacks/shared-seen.test.ts'],
  },
  {
    name: 'swallows-what-follows-the-end',
    says: 'A change after a final status is not told.',
    file: 'src/callbacks/seen.ts',
    edits: [
      [
        'return { call: news || !now.final, news }',
        'return { call: last?.final !== true && (news || !now.final), news }',
      ],
    ],
    tests: ['test/callbacks/seen.test.ts'],
  },
  {
    name: 'look-up-keeps-its-place',
    says: 'A look-up that failed never makes room for the next.',
    file: 'src/callbacks/delivery.ts',
    edits: [['      lookUpLimit.release()\n', '']],
  },
  {
    name: 'drains-at-once',
    says: 'Draining does not wait for functions of the merchant that run.',
    file: 'src/callbacks/receiver.ts',
    edits: [['    await this.#kinds.idle()\n', '']],
    tests: ['test/callbacks/drain.test.ts'],
  },
]

/** @type {readonly import('./mutant.mjs').Mutant[]} */
export const jobMutants = [
  {
    name: 'forgets-what-may-be-sent',
    says: 'A run whose answer was lost leaves the job as if nothing had been sent.',
    file: 'src/jobs/decide.ts',
    edits: [
      [
        "outcome === 'accepted' ? 'accepted' : maybeSent(state.sent)",
        "outcome === 'accepted' ? 'accepted' : state.sent",
      ],
    ],
    tests: ['test/jobs/decide.test.ts'],
  },
  {
    name: 'forgets-lost-runs',
    says: 'A run that was killed counts as one that sent nothing.',
    file: 'src/jobs/state.ts',
    edits: [['sent: wasLost ? maybeSent(before.sent) : before.sent', 'sent: before.sent']],
    tests: ['test/jobs/state.test.ts'],
  },
  {
    name: 'torn-state-is-a-first-run',
    says: 'A state that can not be read counts as none.',
    file: 'src/jobs/state.ts',
    edits: [["sent: isFirst ? 'no' : 'maybe'", "sent: 'no'"]],
    tests: ['test/jobs/state.test.ts'],
  },
  {
    name: 'refused-whatever-was-sent',
    says: 'A refusal is called one even if an earlier run may have sent the payout.',
    file: 'src/jobs/decide.ts',
    edits: [["because: state.sent === 'no' ? 'refused' : 'look'", "because: 'refused'"]],
    tests: ['test/jobs/decide.test.ts'],
  },
  {
    name: 'done-when-found',
    says: 'A payout that the gateway has counts as final.',
    file: 'src/jobs/decide.ts',
    edits: [
      [
        "    if (result.final) return { then: 'done', final: true }\n    return hasEnded",
        "    if (result.final || !result.final) return { then: 'done', final: true }\n    return hasEnded",
      ],
    ],
    tests: ['test/jobs/decide.test.ts'],
  },
  {
    name: 'done-when-replayed',
    says: 'A payout that had been created before counts as final.',
    file: 'src/jobs/decide.ts',
    edits: [
      [
        "    return result.final ? { then: 'done', final: true } : follow(state, gaps)",
        "    return { then: 'done', final: true }",
      ],
    ],
    tests: ['test/jobs/decide.test.ts'],
  },
]
