/** Finds prose in a text: code, names, addresses and numbers are left out. */

/** Replaces a part by as many spaces, so that offsets stay valid. */
const asSpaces = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Parts of a line that are not prose. */
const notProse: readonly RegExp[] = [
  /`[^`\n]{1,400}`/g,
  /<\/?[A-Za-z][^<>\n]{0,400}>/g,
  // Identifiers: words in capitals, and words with capitals inside.
  /(?<![\p{L}\p{M}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{M}])/gu,
  /(?<![\p{L}\p{M}])\p{L}+\p{Ll}\p{Lu}[\p{L}\p{M}]*/gu,
]
/** A run without spaces and without characters of scripts that put no spaces between words. */
const token =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** Addresses, paths, calls and assignments have symbols between or before letters, or digits. */
const technical = /[\p{L}\p{N}](?:[/\\@_=:.#&+|$]|->)[\p{L}\p{N}:(/\\$@]|\p{N}|^[-$@#%&/\\<>]/u

const withoutTechnical = (line: string): string =>
  line.replace(token, (one) => (technical.test(one) ? asSpaces(one) : one))

/** A word with a capital inside a sentence. */
const name = /(?<=[\p{Ll},;:)»”"'’-] {1,2}["'“„«(]?)\p{Lu}\p{Ll}[\p{L}\p{M}’'-]*/gu

const codeSymbol = /[{}()[\]=<>|&$#*+\\/_":@]/g
/** A line with more symbols per letter is code. */
const maxSymbolsPerLetter = 0.1

/** A brace or semicolon at the end, the latter in ASCII only: in Greek it ends questions. */
const codeEnd = /[{}]\s*$|^[\0-\x7f]*;\s*$/

const isCode = (line: string): boolean => {
  const letters = line.match(/\p{L}/gu)?.length ?? 0
  const symbols = line.match(codeSymbol)?.length ?? 0
  return symbols > maxSymbolsPerLetter * letters || codeEnd.test(line)
}

/** A string of code or JSON that has several words. */
const sentence = /(?<=")(?=(?:[^"\\\s]+\s+){3})(?:[^"\\]|\\.){40,8000}(?=")/g

const stringsOf = (line: string): string => {
  let [kept, from] = ['', 0]
  for (const { 0: part, index } of line.matchAll(sentence)) {
    kept += asSpaces(line.slice(from, index)) + (isCode(part) ? asSpaces(part) : part)
    from = index + part.length
  }
  return kept + asSpaces(line.slice(from))
}

/** The line with spaces in place of everything that is not prose. */
export const proseOf = (whole: string): string => {
  const line = isCode(whole) ? stringsOf(whole) : whole
  const words = withoutTechnical(notProse.reduce((rest, pattern) => rest.replace(pattern, asSpaces), line))
  const withoutNames = words.replace(name, asSpaces)
  // In headings, and in German, capitals do not mean names: too little would be left.
  return countLetters(withoutNames) * 2 >= countLetters(words) ? withoutNames : words
}

const letter = /\p{L}/gu
/** A character that counts as two letters of an alphabet. */
const syllable = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

export const countLetters = (text: string): number =>
  (text.match(letter)?.length ?? 0) + (text.match(syllable)?.length ?? 0)
