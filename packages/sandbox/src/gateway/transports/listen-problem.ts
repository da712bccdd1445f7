const sentences: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} of ${host} is taken, so the sandbox does not listen. End what listens there, or give another port; 0 takes a free one.`,
  EACCES: (port) =>
    `Port ${port} may not be used by this user, so the sandbox does not listen. Give a port above 1023; 0 takes a free one.`,
  EADDRNOTAVAIL: (_port, host) =>
    `${host} is no address of this machine, so the sandbox does not listen. Give another host; without one it is 127.0.0.1.`,
}

/** What keeps a server from listening, in two sentences. The code stays; Node's stack leads to Node only. */
export function listenProblem(error: unknown, port: number, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return sentence === undefined ? error : Object.assign(new Error(sentence(port, host)), { code })
}
