import { jsonOf } from '../client/input/json.js'
import { isObject } from '../client/input/own.js'
import type { Approval } from './decision.js'
import { GrownFile } from './grown-file.js'
import { amountText, microsOf } from './money.js'
import type { SignerPolicy } from './policy.js'

/** What is read beside the policy before each decision on a payout. */
export class KnownPayouts {
  readonly #ids: GrownFile | undefined
  readonly #approvals: GrownFile | undefined
  readonly #known = new Map<string, string | undefined>()
  #approved: Approval[] = []

  constructor({ ids, approvals }: SignerPolicy) {
    this.#ids = ids === undefined ? undefined : new GrownFile(ids, () => undefined)
    this.#approvals =
      approvals === undefined
        ? undefined
        : new GrownFile(approvals.file, ({ uid }) =>
            uid === approvals.uid
              ? undefined
              : `belongs to user ${uid}, and the policy names user ${approvals.uid}`,
          )
  }

  /** @throws {Error} where a file can't be believed. */
  async read(): Promise<{
    readonly ids?: ReadonlyMap<string, string | undefined>
    readonly approvals: readonly Approval[]
  }> {
    for (const line of (await this.#approvals?.lines()) ?? []) {
      const approval = approvalOf(line)
      if (approval !== undefined) this.#approved.push(approval)
    }
    if (this.#ids === undefined) return { approvals: this.#approved }
    for (const line of await this.#ids.lines()) this.#know(line)
    return { ids: this.#known, approvals: this.#approved }
  }

  #know(line: string): void {
    const [id = '', amount, currencyCode] = line.replace(/\r$/, '').split('\t')
    if (id === '') return
    if (amount === undefined) {
      this.#known.set(id, undefined)
      return
    }
    const micros = microsOf(amount)
    // What can't be read lets no money through.
    this.#known.set(id, micros === undefined ? 'unreadable' : `${amountText(micros)} ${currencyCode}`)
  }
}

/** A line of the file of approvals. */
export function approvalLine({ id, amount, currencyCode, at }: Approval): string {
  return JSON.stringify({ id, amount: amountText(amount), currencyCode, at })
}

function approvalOf(line: string): Approval | undefined {
  const json = jsonOf(line)
  if (!isObject(json)) return undefined
  const { id, amount, currencyCode, at } = json
  const micros = typeof amount === 'string' ? microsOf(amount) : undefined
  if (
    typeof id !== 'string' ||
    micros === undefined ||
    typeof currencyCode !== 'string' ||
    typeof at !== 'number'
  ) {
    return undefined
  }
  return { id, amount: micros, currencyCode, at }
}
