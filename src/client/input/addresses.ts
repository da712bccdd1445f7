/** Whether a value is an absolute URL: a text or a `URL`, also one of another realm, as test runners make them. */
export function isUrl(value: unknown): boolean {
  const is = typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]'
  return is && URL.canParse(String(value))
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
