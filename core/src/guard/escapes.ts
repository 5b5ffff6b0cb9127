/** Escapes of JSON, wherever they stand: a text need not be JSON as a whole to be read as such. */

/** RFC 8259, section 7. */
const form = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/

export const escape = new RegExp(form, 'g')
const escapeHere = new RegExp(form, 'y')

/** `\u0041` */
const longestEscape = 6

/** Of backslashes in a row, every other one begins an escape. */
export const backslashesBefore = (text: string, end: number): number => {
  let start = end
  while (text[start - 1] === '\\') start -= 1
  return end - start
}

/** Where the escape ends that a position lies in the middle of; otherwise the position. */
export const behindEscape = (text: string, position: number): number => {
  for (let begin = position - 1; begin > position - longestEscape; begin -= 1) {
    if (text[begin] !== '\\' || backslashesBefore(text, begin) % 2) continue
    escapeHere.lastIndex = begin
    const end = begin + (escapeHere.exec(text)?.[0].length ?? 0)
    if (end > position) return end
  }
  return position
}
