/** What servers write, made harmless: for models, people's terminals and the log. */

import { stripVTControlCharacters } from 'node:util'

/**
 * Control characters, halves of surrogate pairs, what reverses the direction of writing, and the tags of Unicode, in
 * which whole sentences can hide from people.
 */
const hidden = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** Without sequences for terminals and without what does not show. */
export const cleanText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(hidden, (character) => (character === '\n' || character === '\t' ? character : ''))

/** The same in one line of so many characters. */
export const cleanLine = (text: string, most: number): string =>
  cleanText(
    cleanText(text.slice(0, 4 * most))
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, most),
  )

/** The longest beginning that takes so many bytes of UTF-8. */
export const firstBytes = (text: string, most: number): string => {
  if (text.length <= most / 3) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  // no character is cut
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString()
}
