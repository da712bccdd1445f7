import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const projects = fileURLToPath(new URL('../projects/', import.meta.url))

export interface ProjectOptions {
  /** Where the package is installed. */
  readonly installed: string
  /** What the copy is called, where one project is tried in several ways. */
  readonly as?: string
  /** Files of other projects that it uses as well. */
  readonly files?: readonly string[]
  /** Packages that it has beside what is installed, by their name. */
  readonly packages?: Readonly<Record<string, string>>
}

/** Copies a project of `test/package/projects` into an installation, whose packages it then finds. */
export async function project(name: string, options: ProjectOptions): Promise<string> {
  const { installed, as = name, files = [], packages = {} } = options
  const folder = join(installed, as.replaceAll('/', '-'))
  await cp(join(projects, name), folder, { recursive: true })
  for (const file of files) await cp(join(projects, file), join(folder, file.replace(/^.*\//, '')))
  for (const [packageName, path] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', packageName)
    await mkdir(join(link, '..'), { recursive: true })
    await symlink(path, link)
  }
  return folder
}
