/** What servers write, made harmless: for models, people's terminals and the log. */

import { stripVTControlCharacters } from 'node:util'

/** Of emoji, and of scripts in which they change the shape of letters. */
const joiner =
  /(?<=(?!\p{DI})[\p{L}\p{M}]|\p{ExtPict}[\ufe0f\p{EMod}]?)[\u200c\u200d](?=(?!\p{DI})[\p{L}\p{M}\p{ExtPict}])/u

/** Of the character before, those of ideographs and of Mongolian letters behind these only: there are hundreds. */
const variation =
  /(?<=(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}])[\ufe00-\ufe0f]|(?<=\p{sc=Han})[\u{e0100}-\u{e01ef}]|(?<=\p{sc=Mong})[\u180b-\u180d\u180f]/u

/**
 * Control characters, halves of surrogate pairs, and what no font shows, in which whole sentences can hide from people:
 * the tags of Unicode, its marks of direction, fillers, and runs of joiners and variation selectors.
 */
const hidden = new RegExp(`(?=[\\p{Cc}\\p{Cs}\\p{DI}])(?:(${joiner.source}|${variation.source}|[\\n\\t])|[^])`, 'gu')

/** More than any script or emoji has in a row; without a bound the stack of the matcher would have one. */
const run = /\p{DI}{4,256}/gu

/** Most texts are nothing else. */
const plain = /^[\n\t\x20-\x7e]*$/

/** Without sequences for terminals and without what does not show. */
export const cleanText = (text: string): string =>
  plain.test(text)
    ? text
    : stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(run, '').replace(hidden, '$1')

/** The same in one line of so many characters. */
export const cleanLine = (text: string, max: number): string =>
  cleanText(
    cleanText(text.slice(0, 4 * max))
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, max),
  )
