/** What of a text is written for people: without code, names, addresses and numbers. */

/** Its units are spaces where something was left out: places stay as they are. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Within a line. */
const notProse: readonly RegExp[] = [
  /`[^`\n]{1,400}`/g,
  /<\/?[A-Za-z][^<>\n]{0,400}>/g,
  // Names: in capitals, and with capitals in them.
  /(?<![\p{L}\p{M}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{M}])/gu,
  /(?<![\p{L}\p{M}])\p{L}+\p{Ll}\p{Lu}[\p{L}\p{M}]*/gu,
]
/** What stands between spaces, and in scripts without them between their characters. */
const token =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** Addresses, paths, calls, assignments: signs between letters, before them, or digits. */
const technical = /[\p{L}\p{N}](?:[/\\@_=:.#&+|$]|->)[\p{L}\p{N}:(/\\$@]|\p{N}|^[-$@#%&/\\<>]/u

const withoutTechnical = (line: string): string =>
  line.replace(token, (one) => (technical.test(one) ? blank(one) : one))

/** Inside a sentence. */
const name = /(?<=[\p{Ll},;:)»”"'’-] {1,2}["'“„«(]?)\p{Lu}\p{Ll}[\p{L}\p{M}’'-]*/gu

const codeSign = /[{}()[\]=<>|&$#*+\\/_":@]/g
/** Signs for each letter from which on a line is code. */
const codeFrom = 0.1

/** The semicolon ends questions in Greek. */
const codeEnd = /[{}]\s*$|^[\0-\x7f]*;\s*$/

const isCode = (line: string): boolean => {
  const letters = line.match(/\p{L}/gu)?.length ?? 0
  const signs = line.match(codeSign)?.length ?? 0
  return signs > codeFrom * letters || codeEnd.test(line)
}

/** Strings of code, and of JSON, that have several words, and are no code themselves. */
const sentence = /(?<=")(?=(?:[^"\\\s]+\s+){3})(?:[^"\\]|\\.){40,8000}(?=")/g

const stringsOf = (line: string): string => {
  let [kept, from] = ['', 0]
  for (const { 0: part, index } of line.matchAll(sentence)) {
    kept += blank(line.slice(from, index)) + (isCode(part) ? blank(part) : part)
    from = index + part.length
  }
  return kept + blank(line.slice(from))
}

/** A line with spaces for what is left out of it. */
export const proseOf = (whole: string): string => {
  const line = isCode(whole) ? stringsOf(whole) : whole
  const words = withoutTechnical(notProse.reduce((rest, pattern) => rest.replace(pattern, blank), line))
  const withoutNames = words.replace(name, blank)
  // Headings, and German, are left with nothing otherwise.
  return countLetters(withoutNames) * 2 >= countLetters(words) ? withoutNames : words
}

const letter = /\p{L}/gu
/** One of them says as much as two of an alphabet. */
const syllable = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

export const countLetters = (text: string): number =>
  (text.match(letter)?.length ?? 0) + (text.match(syllable)?.length ?? 0)
