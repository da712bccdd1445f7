/** The namespace of the ids of refunds (RFC 9562, section 5.5). It never changes: an id is the lock of its refund. */
const namespace = '7d6c1f0a-8f2b-4f6e-9a35-3c1f4f0f6b52'

/**
 * The id of the payout that is this refund of a payin: the same in every process and every version, so that the
 * gateway accepts each number once (specification, section 4). A UUID of version 5, of the payin's id and the number.
 * Spellings of the payin's id that a gateway may take for one (other case, other blanks, another Unicode form) have
 * one refund of each number.
 *
 * @param idPayin the id that the payin was created under.
 * @param number 1 for the first refund of the payin, 2 for the second, and so on.
 * @example
 * const payout = await client.payouts.retrieve(refundId('order-1', 1))
 */
export function refundId(idPayin: string, number: number): string {
  const hash = process
    .getBuiltinModule('node:crypto')
    .createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    // The number goes first and has nothing but digits, so no two refunds have one name.
    .update(`refund ${number} of ${folded(idPayin)}`)
    .digest()
  const bytes = hash.subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Small, capital, small again: only so do `ß` and its capital, or the two small forms of `s`, become the same letters. */
function folded(id: string): string {
  return id
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Each one before is looked up, at ten requests a second. Nobody gives a payin back in more parts. */
export const mostRefunds = 100
