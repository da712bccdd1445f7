/** Whether one more may come: so many at once, and so many a second from then on. */
export function tokenBucket(
  inASecond: number,
  atOnce: number,
  nowMs = () => performance.now(),
): () => boolean {
  let [left, at] = [atOnce, nowMs()]
  return () => {
    const now = nowMs()
    left = Math.min(atOnce, left + ((now - at) / 1000) * inASecond)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
