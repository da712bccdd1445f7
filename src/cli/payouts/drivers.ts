import { CommandFailed } from '../exit-codes.js'

/** What a store wants installed beside this package: BullMQ, and the driver that both use. */
export function loadIoredis() {
  return installed('--redis', ['bullmq', 'ioredis'], () => import('ioredis'))
}

export function loadPg() {
  return installed('--postgres', ['bullmq', 'pg'], () => import('pg'))
}

/** @throws {CommandFailed} saying what to install, when one of them is missing. */
async function installed<Driver>(
  option: string,
  names: readonly [string, string],
  load: () => Promise<Driver>,
): Promise<Driver> {
  try {
    await import('bullmq')
    return await load()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandFailed(
      `${option} needs ${names.join(' and ')} beside this package, so nothing was sent; run "npm install ${names.join(' ')}".`,
    )
  }
}
