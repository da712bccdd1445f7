import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Every file below a folder, with its whole path; links are not followed. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

export async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size
}
