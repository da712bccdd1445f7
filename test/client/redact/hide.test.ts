import { describe, expect, it, vi } from 'vitest'
import { hiding } from '../../../src/client/redact/hide.js'
import { mask } from '../../../src/client/redact/mask.js'

const hide = (text: string, ...secrets: string[]) => hiding(secrets)(text)
const entities = (text: string) => text.replace(/[^a-z ]/gi, (c) => `&#${c.codePointAt(0)};`)
const hexadecimal = (text: string) =>
  [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join('')
const escaped = (text: string) =>
  text.replace(/[^a-z ]/gi, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const latin1 = (text: string) =>
  [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('a text is not shown that holds a secret', () => {
  it('as it is, wherever it stands', () => {
    expect(hide('sesame, sesame', 'sesame')).toBe(mask)
    expect(hide('Jane (Roe) has $5', 'Jane (Roe)')).toBe(mask)
  })

  it('also in part, wherever a short text quotes a piece of a long one', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0-of-a-merchant.0123456789_Zx'
    for (const length of [16, 17, 31, token.length]) {
      for (let at = 0; at + length <= token.length; at++) {
        // Letters and digits are compared, so a quoted piece needs so many of them.
        const quoted = token.slice(at, at + length)
        if (quoted.replace(/[^a-z0-9]/gi, '').length < 16) continue
        for (const before of ['', 'a', 'Bad: ', 'a token, ', 'no ']) {
          expect(hide(`${before}${quoted} `, token), `${before}${quoted}`).toBe(mask)
        }
      }
    }
  })

  it('in a short text as in a long one', () => {
    const secrets = ['Jane Roe', 'a1b2c3d4e5f6'.repeat(5), '---']
    const filler = ` ${'. '.repeat(100)}`
    for (const text of [
      'jane-roe',
      'x A1B2C3D4E5F6A1B2 x',
      'e5f6a1b2c3d4e5f6a',
      '--- it',
      '50%',
      'Ja&ne',
      'well',
    ]) {
      const shown = hide(text, ...secrets)
      expect(hide(text + filler, ...secrets)).toBe(shown === mask ? mask : text + filler)
    }
  })

  it.each([
    ['in other letters', `JANE "o'roe" & CO`],
    ['in JSON in JSON', `Jane \\\\\\"O'Roe\\\\\\" & Co`],
    ['in HTML', 'Jane &quot;O&#x27;Roe&quot; &amp; Co'],
    ['in HTML that a page quotes', 'Jane &amp;quot;O&amp;#39;Roe&amp;quot; &amp;amp; Co'],
    ['in a URL that a page quotes', 'Jane&#37;20&#37;22O&#39;Roe&#37;22&#37;20&#37;26&#37;20Co'],
    ['without its marks', 'JANE OROE CO'],
  ])('%s', (_form, echoed) => {
    expect(hide(`<${echoed}>`, `Jane "O'Roe" & Co`)).toBe(mask)
  })

  it.each([
    'José Müller',
    'Zoë Ångström',
    'Łukasz Święty',
    'Søren Æbelø',
    'Ωμέγα Σοφός',
    '王小明 李大文',
    'محمد علي',
  ])('in every form that "%s" has', (name) => {
    const bare = name.normalize('NFD').replace(/\p{M}/gu, '')
    const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => name.normalize(form))
    for (const form of [...forms, bare, ...forms.map((one) => one.toUpperCase()), name.toLowerCase()]) {
      const spelled = [form, encodeURIComponent(form), entities(form), hexadecimal(form), escaped(form)]
      for (const echoed of [...spelled, escape(form), encodeURIComponent(entities(form))]) {
        for (const secret of [name, name.normalize('NFD')]) {
          expect(hide(`<${echoed}>`, secret), echoed).toBe(mask)
        }
      }
    }
  })

  it.each([
    ['with the names of HTML', 'Jos&eacute; M&uuml;ller'],
    ['in capitals with the names of HTML', 'JOS&Eacute; M&Uuml;LLER'],
    ['as banks transcribe it', 'JOSE MUELLER'],
    ['as Latin-1 in a URL', latin1('José Müller')],
    ['read as Latin-1', Buffer.from('José Müller').toString('latin1')],
    ['read as ASCII', 'Jos? M?ller'],
    ['read as UTF-8 though it was none', Buffer.from('José Müller', 'latin1').toString('utf8')],
  ])('%s', (_form, echoed) => {
    expect(hide(`<${echoed}>`, 'José Müller')).toBe(mask)
  })

  it.each([
    'DE12 3456',
    'DE-12-34-56',
    'de123456',
    'D E 1 2 3 4 5 6',
    'DE12\u00a03456',
    'DE12%203456',
    'DE12.3456',
  ])('in groups: %s', (echoed) => {
    expect(hide(`of ${echoed} now`, 'DE123456')).toBe(mask)
  })

  it('where nothing of it is a letter or a digit', () => {
    expect(hide('is $%&/() right? &#36;%25&amp;/()', '$%&/()')).toBe(mask)
    expect(hide('is &#36;%25&amp;/() right?', '$%&/()')).toBe(mask)
  })

  it('in part, where it is long and only a part was quoted', () => {
    const token = 'mF_9.B5f-4.1JqM-2YotnFZFEjr1zCsicMWpAA'
    expect(hide(`token mF_9.B5f-4.1JqM-2YotnFZ… is bad`, token)).toBe(mask)
    expect(hide(`no …-2YotnFZFEjr1zCsicM`, token)).toBe(mask)
  })

  it.each([
    ['sesame-open', 'base64'],
    ['sesame-open', 'base64url'],
    ['sesame-open', 'hex'],
    ['José Müller', 'base64'],
    ['José Müller', 'hex'],
  ] as const)('%s in %s, wherever it begins in what was encoded, and in groups', (secret, encoding) => {
    for (const before of ['', '{', '{"', '{"n":"', '>>>?']) {
      for (const spelled of [secret, secret.toUpperCase(), encodeURIComponent(secret)]) {
        const encoded = Buffer.from(`${before}${spelled}"}`).toString(encoding)
        const inGroups = encoded.match(/.{1,4}/g)?.join('\n') ?? ''
        for (const echoed of [encoded, encodeURIComponent(encoded), inGroups, `0x${encoded}`]) {
          expect(hide(`of ${echoed} now`, secret), echoed).toBe(mask)
          expect(hide(`of ${echoed} now`, 'sesame-shut')).not.toBe(mask)
        }
      }
    }
  })

  it('with a character of another form in it', () => {
    expect(hide('ｓesame\u2011open', 'sesame-open')).toBe(mask)
    expect(hide('s.e.s.a.m.e / o.p.e.n', 'sesame-open')).toBe(mask)
  })

  it('though it has two characters, where they stand by themselves', () => {
    for (const text of ['no account of Li', 'li: unknown', '"Li"', 'of&nbsp;Li'])
      expect(hide(text, 'Li')).toBe(mask)
    expect(hide('account A7 is closed', 'A7')).toBe(mask)
    expect(hide('客户王明已被封', '王明')).toBe(mask)
  })
})

describe('a text that holds no secret stays as it is', () => {
  it.each([
    ['a banana', ['a', '']],
    ['this cannot be planned, Hanna', ['Ann']],
    ['plan now, join me', ['Anno', 'Inme']],
    ['%41%zz &nosuch; \\u00', ['Jana']],
    ['', ['Jana']],
    ['a client of the gateway, in line', ['Li', 'in the', 'A7']],
    ['payment A70 of 2', ['A7', '7', '2']],
    ['R2F0ZXdheXMgYXJlIHNsb3c=', ['Ann', 'Mark']],
  ])('%s', (text, secrets) => {
    expect(hide(text, ...secrets)).toBe(text)
  })

  it('but for the name of three letters that is a word of it', () => {
    for (const text of ['Ann cannot', 'ANN42', '(ann)']) expect(hide(text, 'Ann')).toBe(mask)
  })
})

describe('a text that can’t be looked through is not shown', () => {
  it('because there are too many secrets', () => {
    const secrets = Array.from({ length: 2000 }, (_, n) => `name ${n}`)
    expect(hide('the account is closed', ...secrets)).toBe(mask)
  })

  it('because it is long', () => {
    expect(hide(`${'-'.repeat(4090)} is the word`, 'sesame')).toBe(mask)
  })

  it('because it is escaped so often that it can be read in a hundred ways', () => {
    const text = `%${'25'.repeat(6)}20 &${'amp;'.repeat(5)} ${'\\'.repeat(16)}n`
    expect(hide(text, 'sesame')).toBe(mask)
  })

  it('because the search fails', () => {
    const failing = vi.spyOn(String.prototype, 'includes').mockImplementation(() => {
      throw new SyntaxError('canary')
    })
    try {
      expect(hide('sesame is the word', 'sesame')).toBe(mask)
    } finally {
      failing.mockRestore()
    }
  })
})

describe('what came from outside and does not show', () => {
  it('is made visible', () => {
    const shown = hide('no\u202e sesame\u001b[2J\nerror: all paid', 'barley')
    expect(shown).toBe(String.raw`no\u202e sesame\u001b[2J\u000aerror: all paid`)
  })

  it('does not keep a secret from being found', () => {
    expect(hide('s\u200be\u202esame', 'sesame')).toBe(mask)
  })
})
