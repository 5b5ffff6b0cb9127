const signs: Readonly<Record<string, string>> = {
  'COMMERCIAL AT': '@',
  'FULL STOP': '.',
  'HYPHEN-MINUS': '-',
  'LOW LINE': '_',
  'PLUS SIGN': '+',
  COLON: ':',
  SOLIDUS: '/',
  COMMA: ',',
  SPACE: ' ',
  'NUMBER SIGN': '#',
  'PERCENT SIGN': '%',
  AMPERSAND: '&',
  'LEFT PARENTHESIS': '(',
  'RIGHT PARENTHESIS': ')',
}

const digits = ['ZERO', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE']

const letters = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Names of Unicode for Latin letters, digits, and the signs that personal information is made of. */
export const characterNames: ReadonlyMap<string, string> = new Map([
  ...Object.entries(signs),
  ...digits.map((name, digit): [string, string] => [`DIGIT ${name}`, String(digit)]),
  ...letters.flatMap((letter): [string, string][] => [
    [`LATIN SMALL LETTER ${letter.toUpperCase()}`, letter],
    [`LATIN CAPITAL LETTER ${letter.toUpperCase()}`, letter.toUpperCase()],
  ]),
])
