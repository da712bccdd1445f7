import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, certificate } from '../security/tls.js'

/** What a gateway may show for itself; only the first is good. */
export interface Certificates {
  readonly right: Certificate
  readonly expired: Certificate
  readonly otherHost: Certificate
  /** Nobody vouches for it. */
  readonly unknown: Certificate
}

/**
 * Makes them, and writes them into a folder: all of them as JSON, and those that a client is to trust as the
 * file that `NODE_EXTRA_CA_CERTS` names, which is read when a process starts.
 */
export async function writeCertificates(folder: string): Promise<void> {
  const made: Certificates = {
    right: await certificate(),
    expired: await certificate({ notAfter: new Date(Date.now() - 24 * 3600_000) }),
    otherHost: await certificate({ host: 'other.example' }),
    unknown: await certificate(),
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'certificates.json'), JSON.stringify(made))
  const trusted = [made.right, made.expired, made.otherHost].map(({ cert }) => cert)
  await writeFile(join(folder, 'trusted.pem'), trusted.join('\n'))
}
