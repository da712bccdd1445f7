/** A body in pieces. It ends early when the signal fires. */
export async function* inChunks(
  body: string,
  chunks: number,
  gapMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  const size = Math.max(1, Math.ceil(bytes.length / chunks))
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0 && gapMs > 0) await pause(gapMs, signal)
    signal.throwIfAborted()
    yield bytes.subarray(start, start + size)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    timer.unref()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
