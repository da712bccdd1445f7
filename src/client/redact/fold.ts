/**
 * A text as it is compared: letters and digits alone, in capitals, without accents, ligatures and forms of
 * compatibility. So one comparison covers NFC to NFKD, any letter case, `+` for blanks, and account numbers
 * in groups. A part of a text is the same as in the whole.
 */
export function fold(text: string): string {
  return ascii.test(text) ? upper(text).replace(/[^A-Z0-9]+/g, '') : foldAll(text)
}

/** The same with a blank between words. */
export function foldWords(text: string): string {
  return text
    .split(/[^\p{L}\p{M}\p{N}\p{Cf}]+/u)
    .map(fold)
    .join(' ')
}

/** ASCII of one kind after the other; the rest of Unicode takes ten times as long. */
const ascii = /^[\0-\x7f]*$/

function foldAll(text: string): string {
  // Twice, since some forms of compatibility are small letters.
  const plain = upper(upper(text).normalize('NFKD')).normalize('NFKD')
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/[ØŁĐÐÆŒÞĦŦ]/g, (letter) => unaccented[letter] ?? letter)
}

/** Small letters first, so that the final sigma and the capital sharp s end as the others do. */
const upper = (text: string) => text.toLowerCase().toUpperCase()

/** What is written without its stroke or as two letters, and has no accent that Unicode could take off. */
const unaccented: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
}
