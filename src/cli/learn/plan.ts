import type { LearnOptions } from './learn.js'

/** What is going to be asked, before anything is. */
export function planOf(
  { baseUrl, requests, callbacks, waitMs, pace, assumesTest = false }: LearnOptions,
  writes: string,
): readonly string[] {
  const { money, payin, payout } = requests
  const text = `${money.amount} ${money.currencyCode}`
  const own = (file: unknown, kind: string) => (file === undefined ? `of ${text}` : `as --${kind} says`)
  const perSecond = Math.round(1000 / Math.max(1, pace.gapMs))
  return [
    `This asks the gateway at ${baseUrl.host} what it does, with the credentials of the environment:`,
    `- about 60 requests, and a look-up every second while it waits: at most ${perSecond} a second`,
    '- once eleven requests at once, to see how they are counted: one more than may come,',
    '  which is refused and not processed',
    '- tokens, and what has to be refused: a wrong signature, wrong tokens, three payins with a mistake',
    `- ONE PAYIN ${own(payin, 'payin')} and ONE PAYOUT ${own(payout, 'payout')}: they are created, and looked up`,
    `  for up to ${Math.round(waitMs / 1000)} s; ${
      assumesTest
        ? 'the payout follows unless the payin says that it is no test (--assume-test)'
        : 'no payout follows unless the payin says that it is a test (isTest: true)'
    }`,
    '- two payouts that must be refused, since their token is of another id or amount: a gateway that',
    '  does not keep to it makes them',
    callbacks === undefined
      ? '- no callbacks, since no --callback-url was given that the gateway can reach'
      : '- their callbacks, which are answered 500 in the end, to see how often they come again',
    `- ${writes}`,
    'The money moves, so it must be a TEST gateway.',
  ]
}
