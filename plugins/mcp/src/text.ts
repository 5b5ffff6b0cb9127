/** Removes invisible and control characters from texts of servers, for models, terminals and the log. */

import { stripVTControlCharacters } from 'node:util'

/** Joiners within emoji, and between letters, whose shape they change in some scripts. */
const joiner =
  /(?<=(?!\p{DI})[\p{L}\p{M}]|\p{ExtPict}[\ufe0f\p{EMod}]?)[\u200c\u200d](?=(?!\p{DI})[\p{L}\p{M}\p{ExtPict}])/u

/**
 * Variation selectors: the common ones after any visible character, those of ideographs and of Mongolian letters only
 * after these.
 */
const variation =
  /(?<=(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}])[\ufe00-\ufe0f]|(?<=\p{sc=Han})[\u{e0100}-\u{e01ef}]|(?<=\p{sc=Mong})[\u180b-\u180d\u180f]/u

/**
 * Control characters, lone surrogates, and invisible characters, in which whole sentences can hide from people: Unicode
 * tags, direction marks, fillers, and runs of joiners and variation selectors. What the group captures (joiners and
 * selectors in place, line ends, tabs) is kept.
 */
const invisible = new RegExp(`(?=[\\p{Cc}\\p{Cs}\\p{DI}])(?:(${joiner.source}|${variation.source}|[\\n\\t])|[^])`, 'gu')

/**
 * A run that is longer than any in a script or emoji, except in the flags of subdivisions, which lose their tags. The
 * upper bound protects the stack of the matcher.
 */
const invisibleRun = /\p{DI}{4,256}/gu

/** Most texts match this and need no further work. */
const plainAscii = /^[\n\t\x20-\x7e]*$/

/** Removes terminal escape sequences and invisible characters. */
export const cleanText = (text: string): string =>
  plainAscii.test(text)
    ? text
    : stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(invisibleRun, '').replace(invisible, '$1')

/** Like {@link cleanText}, in one line of at most `max` characters. */
export const cleanLine = (text: string, max: number): string =>
  cleanText(
    cleanText(text.slice(0, 4 * max))
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, max),
  )
