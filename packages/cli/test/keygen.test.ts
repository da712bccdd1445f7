import { spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { describe, expect, test } from 'vitest'
import { runHere } from './here.js'
import { binary, ctrlC, inTerminal, run, secrets, start, temporaryFolder } from './support.js'

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)

describe('keygen', () => {
  test('makes a PKCS#8 key of mode 0600 that the client takes, its public half and its fingerprint', async () => {
    const { code, stdout, stderr } = await run(['keygen', '--out', folder.path, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const pem = readFileSync(file('private-key.pem'), 'utf8')
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    expect(statSync(file('private-key.pem')).mode & 0o777).toBe(0o600)
    const publicKey = createPublicKey(createPrivateKey(pem))
    expect(readFileSync(file('public-key.pem'), 'utf8')).toBe(
      publicKey.export({ type: 'spki', format: 'pem' }),
    )
    const der = publicKey.export({ type: 'spki', format: 'der' })
    expect(JSON.parse(stdout)).toEqual({
      privateKeyFile: file('private-key.pem'),
      publicKeyFile: file('public-key.pem'),
      bits: 2048,
      fingerprint: createHash('sha256').update(der).digest('hex'),
    })
    const options = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', privateKey: pem }
    expect(new GatewayClient(options)).toBeInstanceOf(GatewayClient)
  })

  test('makes a key as long as it is asked for, where it is run', async () => {
    const { code, stdout } = await run(['keygen', '--bits', '3072'], { cwd: folder.path })
    expect(code).toBe(0)
    expect(stdout).toContain('private-key.pem  signs; keep it, mode 0600, 3072 bits')
    for (const secret of secrets) expect(stdout).not.toMatch(secret)
    const key = createPublicKey(readFileSync(file('public-key.pem'), 'utf8'))
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(3072)
  })

  test.each(['private-key.pem', 'public-key.pem'])('never overwrites %s', async (name) => {
    writeFileSync(file(name), 'mine')
    const { code, stdout, stderr } = await runHere(['keygen', '--out', folder.path])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `error: ${file(name)} exists already and is never overwritten.\n       Nothing was written.\n`,
    )
    expect(folder.files()).toEqual([name])
    expect(readFileSync(file(name), 'utf8')).toBe('mine')
  })

  test('makes the folder when it is not there', async () => {
    const { code } = await runHere(['keygen', '--out', file('new/keys')])
    expect(code).toBe(0)
    expect(statSync(file('new/keys')).mode & 0o777).toBe(0o700)
  })

  test('says which file can not be written, and keeps no half of a key', async () => {
    writeFileSync(file('plain'), '')
    const { code, stderr } = await runHere(['keygen', '--out', file('plain/keys')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: .*plain\/keys is not a directory\.\n {7}No key was kept\.\n$/)
  })

  test('a file in place of the folder is said to be none', async () => {
    writeFileSync(file('plain'), '')
    const { code, stderr } = await runHere(['keygen', '--out', file('plain')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/plain is not a directory\.\n {7}No key was kept\.\n$/)
  })

  test.runIf(process.platform === 'linux').each(['/proc/keys/new', '/proc/no-such-folder', '/proc/no/such'])(
    'ends also where no folder can be made: %s',
    async (out) => {
      const program = start(['keygen', '--out', out])
      const tooLong = setTimeout(() => program.signal('SIGKILL'), 100_000)
      expect(await program.finished).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('No key was kept'),
      })
      clearTimeout(tooLong)
    },
  )

  test('keeps nothing when the disk is full', async () => {
    const limited = 'ulimit -f 1; exec "$0" "$@"'
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', limited, process.execPath, binary, 'keygen', '--out', folder.path],
      { encoding: 'utf8' },
    )
    expect(stderr).toMatch(/private-key\.pem does not fit on the disk\.\n {7}No key was kept\.\n$/)
    expect(status).toBe(2)
    expect(folder.files()).toEqual([])
  })

  test('keeps other users from a folder that is open to all', async () => {
    chmodSync(folder.path, 0o777)
    await runHere(['keygen', '--out', folder.path])
    expect(statSync(file('private-key.pem')).mode & 0o077).toBe(0)
  })

  test('leaves both files or none when Ctrl-C comes', async () => {
    // No line says that it looks for primes, so it may come before that, while it does, or after.
    const session = inTerminal(['keygen', '--bits', '4096', '--out', folder.path])
    session.type(ctrlC)
    const { code } = await session.finished
    expect([0, 130]).toContain(code)
    expect([0, 2]).toContain(folder.files().length)
  })
})
