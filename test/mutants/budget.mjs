// @ts-check

/** @type {readonly import('./mutant.mjs').Mutant[]} */
export const budgetMutants = [
  {
    name: 'slots-too-close',
    says: 'Ten slots in 900 ms.',
    file: 'src/stores/budget/reservation.ts',
    edits: [['return (tenth ?? goneBy) + ask.windowMs', 'return (tenth ?? goneBy) + 900']],
    tests: ['test/stores/budget/reservation.test.ts'],
  },
  {
    name: 'slot-counts-from-its-time',
    says: 'A slot counts from when it is due, and not from when it may be used.',
    file: 'src/stores/budget/reservation.ts',
    edits: [['usedBy: at + Math.min(ask.goodForMs, longestGoodMs)', 'usedBy: at']],
    tests: ['test/stores/budget/reservation.test.ts', 'test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'store-forgets-unnoticed',
    says: 'Nobody waits when the store has forgotten its slots.',
    file: 'src/stores/budget/reservation.ts',
    edits: [
      ['const quietUntil = hasForgotten && ask.quietMs > 0 ? now + ask.quietMs : 0', 'const quietUntil = 0'],
    ],
    tests: ['test/stores/budget/reservation.test.ts', 'test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'long-pause-is-forgotten',
    says: 'Slots behind a long pause pass for those of a clock that was set back.',
    file: 'src/stores/budget/ledger.ts',
    edits: [
      [
        'const opensAt = Math.max(now, Math.min(kept.notBefore, now + longestPauseMs))',
        'const opensAt = now',
      ],
    ],
    tests: ['test/stores/budget/reservation.test.ts'],
  },
  {
    name: 'slot-that-is-forgotten-is-used',
    says: 'A slot that was reserved long ago is used, whether the store still has it or not.',
    file: 'src/stores/budget/shared-budget.ts',
    edits: [['(slot.isFar && !this.#link.isKept(slot))', 'false']],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'share-begins-at-once',
    says: 'Without the store a process sends its share while slots of the store may still be used.',
    file: 'src/stores/budget/shared-budget.ts',
    edits: [
      [
        'return Math.max(share.nextAloneAt, clearAt, this.#pausedUntil)',
        'return Math.max(share.nextAloneAt, this.#pausedUntil)',
      ],
    ],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'share-is-whole',
    says: 'A process without the store takes all of its share, beside others that have the store.',
    file: 'src/stores/budget/own-share.ts',
    edits: [['(2 * secondMs * processes)', '(secondMs * processes)']],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'share-ends-at-once',
    says: 'When the store is back, its slots are used beside the shares.',
    file: 'src/stores/budget/shared-budget.ts',
    edits: [
      ['    this.#sharesUntil = now + returningMs\n', ''],
      ['    this.#link.returning(returningMs)\n', ''],
    ],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'given-back-slots-hide-others',
    says: 'When slots come to nothing, those that were used before them do not count any more.',
    file: 'src/stores/budget/reservation.ts',
    edits: [['(tenth ?? goneBy)', '(tenth ?? 0)']],
    tests: ['test/stores/budget/reservation.test.ts'],
  },
  {
    name: 'writes-over-others',
    says: 'What another process wrote meanwhile is written over.',
    file: 'src/stores/budget/ask-store.ts',
    edits: [
      ['|| (await store.swap(read, text, keptMs))', '|| (await store.swap(read, text, keptMs)) || true'],
    ],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'absurd-times-are-believed',
    says: 'A ledger with a time a year ahead is kept to.',
    file: 'src/stores/budget/ledger.ts',
    edits: [['return isSound ? kept : undefined', 'return kept']],
    tests: ['test/stores/budget/hostile-ledgers.test.ts'],
  },
  {
    name: 'slot-used-early',
    says: 'A slot is used before it is due.',
    file: 'src/stores/budget/shared-budget.ts',
    edits: [
      [
        'while (this.#dueAt(slot) > performance.now() &&',
        'while (this.#dueAt(slot) > performance.now() + 400 &&',
      ],
    ],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
  {
    name: 'late-slot-is-used',
    says: 'A slot is used however late it is.',
    file: 'src/stores/budget/shared-budget.ts',
    edits: [
      ['      now >= useBefore ||\n', ''],
      ['    return { useBefore }\n', '    return { useBefore: Number.POSITIVE_INFINITY }\n'],
    ],
    tests: ['test/stores/budget/shared-budget.test.ts'],
  },
]
