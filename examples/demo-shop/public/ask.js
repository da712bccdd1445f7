// Asks the shop, over networks that are slow or gone, until there is an answer. All that is sent here may be sent
// twice: an order has its key, and a refund its number.

const timeoutMs = 15_000
const longestPauseMs = 8_000

/** @returns the answer of the shop; throws, in words for the customer, when that is no */
export async function ask(path, body) {
  for (let tries = 0; ; tries++) {
    const { status = 503, answer } = await askOnce(path, body).catch(() => ({}))
    if (status < 500) {
      show('notice', '')
      if (status < 400) return answer
      throw new Error(answer.message)
    }
    const what = answer?.message ?? 'We can’t reach the shop.'
    show('notice', `${what} Please leave this page open: we keep trying, and nothing is done twice.`)
    await pause(Math.min(longestPauseMs, 500 * 2 ** tries))
  }
}

async function askOnce(path, body) {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(path, body === undefined ? { signal } : { ...post, signal })
  return { status: response.status, answer: await response.json() }
}

/** A sentence at its place on the page, or nothing. A screen reader speaks at every change, so only then. */
export function show(id, text) {
  const element = document.getElementById(id)
  if (element.textContent !== text) element.textContent = text
  element.hidden = text === ''
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
