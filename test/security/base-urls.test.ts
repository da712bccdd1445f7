import { describe, expect, test } from 'vitest'
import { clientOf } from '../faults/support.js'

describe('a base URL', () => {
  test.each([
    'http://127.0.0.1.evil.example',
    'http://127.evil.example',
    'http://localhost.evil.example',
    'http://evil.example/127.0.0.1',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:192.0.2.1]',
    'http://192.0.2.1',
    'http://128.0.0.1',
    'http://gateway.example:443',
  ])('that is plain http off this machine is refused: %s', async (baseUrl) => {
    expect(() => clientOf(baseUrl, 'undici')).toThrow(/^baseUrl is plain http/)
  })

  test.each([
    ['https://gateway.example@evil.example', 'user name'],
    ['https://gateway.example:443@evil.example', 'user name'],
    ['https://:secret@gateway.example', 'user name'],
    ['https://gateway.example?@evil.example', 'query'],
    ['https://gateway.example#@evil.example', 'fragment'],
    ['ftp://gateway.example', 'https'],
    ['ws://127.0.0.1', 'https'],
    ['file:///etc/passwd', 'https'],
    ['blob:https://gateway.example/x', 'https'],
    ['javascript:https://gateway.example', 'https'],
    ['//gateway.example', 'absolute URL'],
  ])('that may mean another host is refused, and what is in it is not repeated: %s', (baseUrl, why) => {
    const refused = () => clientOf(baseUrl, 'undici')
    expect(refused).toThrow(why)
    expect(refused).not.toThrow(/secret|evil/)
  })
})
