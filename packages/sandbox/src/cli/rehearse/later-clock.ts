import { existsSync } from 'node:fs'

/** Where Debian, Fedora and Homebrew put libfaketime. */
const places = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
  '/usr/local/lib/faketime/libfaketime.so.1',
]

/** The environment of a process with a later clock; undefined where libfaketime is not installed. */
export function laterClock(laterMs: number): Readonly<Record<string, string>> | undefined {
  const library = places.find((place) => existsSync(place))
  if (library === undefined) return undefined
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${Math.round(laterMs / 1000)}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_NO_CACHE: '1',
  }
}
