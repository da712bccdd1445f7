const until = performance.now() + 20_000
while ((await queue.getDelayedCount()) + (await queue.getCompletedCount()) === 0) {
  if (performance.now() > until) throw new Error('nothing was sent')
  await new Promise((resolve) => setTimeout(resolve, 50))
}
await worker.close()
await queue.obliterate({ force: true })
await queue.close()
await client.close()
