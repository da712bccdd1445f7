import { jsonOf } from '../client/input/json.js'
import * as z from '../profile/zod-library.js'
import { AppendOnlyFile } from './append-only-file.js'
import { amountForm, microsOf, moneyText } from './money.js'
import type { SignerPolicy } from './policy.js'

/** An approval of this id with this money and no other. */
export interface Approval {
  readonly id: string
  /** Such as `400 EUR`. */
  readonly money: string
  /** When it was given, in milliseconds since 1970. */
  readonly at: number
}

/** What other users have written about payouts. */
export interface Known {
  /** The ledger's ids, with money such as `400 EUR` where the ledger says it; absent where the policy names no list. */
  readonly ids?: ReadonlyMap<string, string | undefined>
  readonly approvals: readonly Approval[]
}

/** The two files that a policy names, read on before each decision on a payout. */
export class KnownPayouts {
  readonly #idsFile: AppendOnlyFile | undefined
  readonly #approvalsFile: AppendOnlyFile | undefined
  readonly #ids = new Map<string, string | undefined>()
  readonly #approvals: Approval[] = []

  constructor({ ids, approvals }: SignerPolicy) {
    if (ids !== undefined) this.#idsFile = new AppendOnlyFile(ids)
    if (approvals !== undefined) this.#approvalsFile = new AppendOnlyFile(approvals.file, approvals.uid)
  }

  /** @throws {Error} where a file can't be believed. */
  read(): Known {
    for (const line of this.#approvalsFile?.newLines() ?? []) {
      const approval = approvalIn(line)
      if (approval !== undefined) this.#approvals.push(approval)
    }
    if (this.#idsFile === undefined) return { approvals: this.#approvals }
    for (const line of this.#idsFile.newLines()) {
      const [id = '', amount, currencyCode = ''] = line.replace(/\r$/, '').split('\t')
      if (id !== '') this.#ids.set(id, amount === undefined ? undefined : moneyIn(amount, currencyCode))
    }
    return { ids: this.#ids, approvals: this.#approvals }
  }
}

/** As payouts are compared with it; money that can't be read is that of no payout. */
function moneyIn(amount: string, currencyCode: string): string {
  const micros = microsOf(amount)
  return micros === undefined ? 'unreadable' : moneyText(micros, currencyCode)
}

const approvalLine = z.object({
  id: z.string(),
  amount: z.string().check(z.regex(amountForm)),
  currencyCode: z.string(),
  at: z.number(),
})

/** A line of the file of approvals, as `merchant-gateway signer approve` writes it. */
export type ApprovalLine = z.infer<typeof approvalLine>

function approvalIn(line: string): Approval | undefined {
  const { data } = z.safeParse(approvalLine, jsonOf(line))
  return data && { id: data.id, money: moneyIn(data.amount, data.currencyCode), at: data.at }
}
