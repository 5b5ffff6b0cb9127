/** Apertium's stream format, in which its programs exchange texts. */

import { endsSentence } from '../text/sentences.js'

/** Characters with a meaning in the format. */
const reserved = /[[\]{}^$/\\@<>]/g

/** Follows a full stop that is added so that the programs see the end of a sentence. */
const mark = '[-]'

/** A unit of text, with the NUL that flushes the programs. */
export const toStreamFormat = (unit: string): string => {
  const text = unit.replaceAll('\0', '').replaceAll(reserved, '\\$&')
  return `${text}${endsSentence.test(unit) ? '' : `.${mark}`}[][\n]\0`
}

/** The translation in the output before a NUL. */
export const fromStreamFormat = (output: string): string =>
  output
    .replaceAll(`.${mark}`, '')
    .replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, (found) => (found.startsWith('\\') ? found.slice(1) : ''))
    .replace(/\s+/gu, ' ')
    .trim()
