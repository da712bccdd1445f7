// An order that was sent and not answered yet. It outlives a reload, and is sent again as it was: under its key, so
// that it stays one order however often it is sent.

const name = 'order'

/** A key that nobody guesses: it is what opens the order. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

export function keepDraft(draft) {
  quietly(() => sessionStorage.setItem(name, JSON.stringify(draft)))
}

export function forgetDraft() {
  quietly(() => sessionStorage.removeItem(name))
}

export function keptDraft() {
  return quietly(() => JSON.parse(sessionStorage.getItem(name) ?? 'null')) ?? undefined
}

/** A browser may keep nothing, or forbid it: then a reload before the answer forgets the order on this side. */
function quietly(use) {
  try {
    return use()
  } catch {
    return undefined
  }
}
