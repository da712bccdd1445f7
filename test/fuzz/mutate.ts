import type { Random } from '../simulation/world/random.js'

/** What parsers of all kinds trip over. */
const tokens = [
  ...[...'"{}[],:\\\n\0-.;\t%=/'],
  ...['\r\n', '\ufeff', '\ud800', '[[[[[[[[', '{"a":{"a":{"a":', '-----BEGIN PRIVATE KEY-----\n'],
  ...'null true -0 1e999 0x10 NaN "" {} [] \\u0000 \\ud83d "ACC77CANARY0041": CanaryKowalski'.split(' '),
  ...'"__proto__": "constructor": "toString": "then": "toJSON": eyJhbGciOiJub25lIn0.'.split(' '),
  '9'.repeat(20),
]

const mostBytes = 20_000

/** The bytes with a few changes, some of them taken from other files of the corpus. */
export function mutate(random: Random, bytes: Buffer, others: readonly Buffer[]): Buffer {
  let changed = bytes
  for (let times = random.whole(1, 6); times > 0; times--) changed = change(random, changed, others)
  return changed.subarray(0, mostBytes)
}

function change(random: Random, bytes: Buffer, others: readonly Buffer[]): Buffer {
  const at = random.whole(0, bytes.length)
  const length = Math.min(bytes.length - at, random.chance(0.2) ? random.whole(1, 200) : random.whole(1, 8))
  const replaced = (piece: Uint8Array, upTo = at) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(upTo)])
  switch (random.whole(0, 6)) {
    case 0:
      return replaced(Buffer.of(random.whole(0, 255)), at + 1)
    case 1:
      return replaced(Buffer.of((bytes[at] ?? 0) ^ (1 << random.whole(0, 7))), at + 1)
    case 2:
      return replaced(Buffer.alloc(0), at + length)
    case 3:
      return replaced(
        Buffer.from(tokens[random.whole(0, tokens.length - 1)] ?? ''),
        random.chance(0.5) ? at : at + length,
      )
    case 4:
      return replaced(
        Buffer.concat(Array.from({ length: random.whole(2, 20) }, () => bytes.subarray(at, at + length))),
      )
    case 5: {
      const other = others[random.whole(0, others.length - 1)] ?? bytes
      const from = random.whole(0, other.length)
      return replaced(
        other.subarray(from, from + random.whole(1, 200)),
        random.chance(0.5) ? at : bytes.length,
      )
    }
    default:
      return bytes.subarray(0, at)
  }
}

/** Fewer bytes of which the same is wrong: pieces are left out for as long as it stays so. */
export async function minimise(bytes: Buffer, isWrong: (bytes: Buffer) => Promise<boolean>): Promise<Buffer> {
  let least = bytes
  for (let size = least.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < least.length; ) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)])
      if (await isWrong(shorter)) least = shorter
      else at += size
    }
  }
  return least
}
