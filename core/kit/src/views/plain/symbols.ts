/** Letters and digits in circles, squares and brackets, and small capitals that NFKC does not change. */

const numbered = (first: number, from: number, count: number): [number, string][] =>
  Array.from({ length: count }, (_, index) => [first + index, String(from + index)])

const lettered = (first: number, from: 'a' | 'A'): [number, string][] =>
  Array.from({ length: 26 }, (_, index) => [first + index, String.fromCharCode(from.charCodeAt(0) + index)])

const small = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'

const symbols = new Map<number, string>([
  // In brackets, and with a full stop or a comma, which NFKC would put between the digits of a number.
  ...numbered(0x2474, 1, 20),
  ...numbered(0x2488, 1, 20),
  ...numbered(0x1f101, 0, 10),
  [0x1f100, '0'],
  ...lettered(0x249c, 'a'),
  ...lettered(0x1f110, 'A'),
  // White on black, in two circles, without serifs.
  ...numbered(0x24eb, 11, 10),
  ...numbered(0x24f5, 1, 10),
  [0x24ff, '0'],
  ...numbered(0x2776, 1, 10),
  ...numbered(0x2780, 1, 10),
  ...numbered(0x278a, 1, 10),
  ...numbered(0x1f10b, 0, 1),
  ...numbered(0x1f10c, 0, 1),
  ...lettered(0x1f150, 'A'),
  ...lettered(0x1f170, 'A'),
  ...Array.from(small, (letter, index): [number, string] => [
    letter.charCodeAt(0),
    'abcdefghijklmnopqrstuvwyz'.charAt(index),
  ]),
])

/** The letter or number that a symbol shows; undefined for other characters. */
export const shownBy = (codePoint: number): string | undefined => symbols.get(codePoint)

const [firstIndicator, lastIndicator] = [0x1f1e6, 0x1f1ff]
/** Regional indicators that are read as one row. */
const maxRowLength = 32

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

export const isIndicator = (codePoint: number): boolean => codePoint >= firstIndicator && codePoint <= lastIndicator

/** The row of regional indicators that begins at a unit, each as what it is read as: letters, unless all are flags. */
export const indicatorsAt = (text: string, index: number): readonly string[] => {
  const row: string[] = []
  for (let at = index; row.length < maxRowLength && isIndicator(text.codePointAt(at) ?? 0); at += 2)
    row.push(text.slice(at, at + 2))
  const letters = row.map((one) => String.fromCharCode(65 + (one.codePointAt(0) ?? 0) - firstIndicator))
  return areFlags(letters.join('')) ? row : letters
}

const areFlags = (letters: string): boolean =>
  letters.length % 2 === 0 && (letters.match(/../g) ?? []).every((region) => regions.of(region) !== undefined)
