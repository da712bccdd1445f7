import { describe, expect, it, vi } from 'vitest'
import { hiding } from '../../../src/client/redact/hide.js'

const hide = (text: string, ...secrets: string[]) => hiding(secrets)(text)
const entities = (text: string) => text.replace(/[^a-z ]/gi, (c) => `&#${c.codePointAt(0)};`)
const hexadecimal = (text: string) =>
  [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join('')
const escaped = (text: string) =>
  text.replace(/[^a-z ]/gi, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const latin1 = (text: string) =>
  [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('a secret is hidden', () => {
  it('as it is, wherever it stands', () => {
    expect(hide('sesame, sesame', 'sesame')).toBe('[redacted], [redacted]')
    expect(hide('Jane (Roe) has $5', 'Jane (Roe)')).toBe('[redacted] has $5')
  })

  it('also in part, wherever a short text quotes a piece of a long one', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0-of-a-merchant.0123456789_Zx'
    for (const length of [16, 17, 31, token.length]) {
      for (let at = 0; at + length <= token.length; at++) {
        // Letters and digits are compared, so a quoted piece needs so many of them.
        const quoted = token.slice(at, at + length)
        if (quoted.replace(/[^a-z0-9]/gi, '').length < 16) continue
        for (const before of ['', 'a', 'Bad: ', 'a token, ', 'no ']) {
          const shown = hide(`${before}${quoted} `, token)
          expect(shown, `${before}${quoted}`).toContain('[redacted]')
          expect(shown).not.toContain(quoted)
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
      expect(hide(text, ...secrets) + filler).toBe(hide(text + filler, ...secrets))
    }
  })

  it('as a whole, where another one begins it', () => {
    expect(hide('Jane Roe and Jane', 'Jane', 'Jane Roe')).toBe('[redacted] and [redacted]')
    expect(hide('Jane Roe and Jane', 'Jane Roe', 'Jane')).toBe('[redacted] and [redacted]')
  })

  it.each([
    ['as it is', `Jane "O'Roe" & Co`],
    ['in other letters', `JANE "o'roe" & CO`],
    ['in a URL', "Jane%20%22O'Roe%22%20%26%20Co"],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(`Jane "O'Roe" & Co`))],
    ['in a form', "Jane+%22O'Roe%22+%26+Co"],
    ['in JSON', `Jane \\"O'Roe\\" & Co`],
    ['in JSON in JSON', `Jane \\\\\\"O'Roe\\\\\\" & Co`],
    ['in HTML', 'Jane &quot;O&#x27;Roe&quot; &amp; Co'],
    ['in HTML by numbers', 'Jane &#34;O&#39;Roe&#34; &#38; Co'],
    ['in HTML that a page quotes', 'Jane &amp;quot;O&amp;#39;Roe&amp;quot; &amp;amp; Co'],
    ['in a URL that a page quotes', 'Jane&#37;20&#37;22O&#39;Roe&#37;22&#37;20&#37;26&#37;20Co'],
    ['without its marks', 'JANE OROE CO'],
  ])('%s', (_form, echoed) => {
    expect(hide(`<${echoed}>`, `Jane "O'Roe" & Co`)).toBe('<[redacted]>')
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
          expect(hide(`<${echoed}>`, secret), echoed).toBe('<[redacted]>')
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
    expect(hide(`<${echoed}>`, 'José Müller')).toMatch(/^<\[redacted\]\W?>$/)
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
    expect(hide(`of ${echoed} now`, 'DE123456')).toBe('of [redacted] now')
  })

  it('where nothing of it is a letter or a digit', () => {
    expect(hide('is $%&/() right? &#36;%25&amp;/()', '$%&/()')).toBe('is [redacted] right? [redacted]')
  })

  it('in part, where it is long and only a part was quoted', () => {
    const token = 'mF_9.B5f-4.1JqM-2YotnFZFEjr1zCsicMWpAA'
    expect(hide(`token mF_9.B5f-4.1JqM-2YotnFZ… is bad`, token)).toBe('token [redacted]… is bad')
    expect(hide(`no …-2YotnFZFEjr1zCsicM`, token)).toBe('no …-[redacted]')
  })

  it('where its text is cut, and what may be the beginning of one goes along', () => {
    const text = `${'-'.repeat(8180)}sesame-open`
    expect(hide(text, 'sesame-open')).not.toContain('s')
    expect(hide(text, 'sesame-open').endsWith('[redacted]')).toBe(true)
  })
})

describe('a text that holds no secret stays as it is', () => {
  it.each([
    ['a banana', ['a', '']],
    ['this cannot be planned, Hanna', ['Ann']],
    ['plan now, join me', ['Anno', 'Inme']],
    ['%41%zz &nosuch; \\u00', ['Jana']],
    ['', ['Jana']],
  ])('%s', (text, secrets) => {
    expect(hide(text, ...secrets)).toBe(text)
  })

  it('but for the name of three letters that is a word of it', () => {
    expect(hide('Ann cannot, ANN42, (ann)', 'Ann')).toBe('[redacted] cannot, [redacted]42, ([redacted])')
  })
})

describe('a text that can’t be looked through is not shown', () => {
  it('because there are too many secrets', () => {
    const secrets = Array.from({ length: 2000 }, (_, n) => `name ${n}`)
    expect(hide('the account is closed', ...secrets)).toBe('[redacted]')
  })

  it('because the search fails', () => {
    const failing = vi.spyOn(String.prototype, 'indexOf').mockImplementation(() => {
      throw new SyntaxError('canary')
    })
    try {
      expect(hide('sesame is the word', 'sesame')).toBe('[redacted]')
    } finally {
      failing.mockRestore()
    }
  })
})

describe('what came from outside and does not show', () => {
  it('is made visible, with secrets hidden around it', () => {
    const shown = hide('no\u202e sesame\u001b[2J\nerror: all paid', 'sesame')
    expect(shown).toBe(String.raw`no\u202e [redacted]\u001b[2J\u000aerror: all paid`)
  })

  it('does not keep a secret from being found', () => {
    expect(hide('s\u200be\u202esame', 'sesame')).not.toMatch(/same/)
  })
})
