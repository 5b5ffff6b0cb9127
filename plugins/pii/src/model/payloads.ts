/** Bytes written in letters, in which models and lists of names read words. */

/** RFC 2397, with the payload in either alphabet of base64, and with slashes as JSON may write them. */
const dataUri =
  /data:[\w.+-]{1,64}\\?\/[\w.+-]{1,64}(?:;[\w.-]{1,32}=[\w.-]{1,64}){0,4};base64,(?:[A-Za-z\d+/_-]|\\\/){16,}={0,2}/gi

const row = /[A-Za-z\d+/_-]{40,}={0,2}/g
const hexadecimal = /^(?=[a-f-]*\d)[\da-f]{32,}$/i

/** As most of every word has; of bytes, one letter of ten stands in such a row. */
const smallLetters = /[a-z]{4,}/g
const mostSmall = 0.3

const isOfBytes = (letters: string): boolean => {
  if (hexadecimal.test(letters)) return true
  if (!/[a-z]/.test(letters) || !/[A-Z]/.test(letters) || !/\d/.test(letters)) return false
  return (letters.match(smallLetters)?.join('').length ?? 0) <= letters.length * mostSmall
}

const blank = (letters: string): string => ' '.repeat(letters.length)

/** The text with blanks in the place of bytes, as many: what stands beside them keeps its place. */
export const withoutPayloads = (text: string): string =>
  text.replace(dataUri, blank).replace(row, (letters) => (isOfBytes(letters) ? blank(letters) : letters))
