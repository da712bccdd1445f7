/** Never twice at once: a slow response is never overtaken by an older one, and a burst of changes costs two requests. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  const run = async () => {
    running = true
    try {
      do {
        again = false
        await work()
      } while (again)
    } finally {
      running = false
    }
  }
  return () => {
    if (running) again = true
    else void run()
  }
}
