/** Apertium's stream format: what its programs read between each other. */

/** Characters that mean something in it. */
const reserved = /[[\]{}^$/\\@<>]/g

const endsSentence = /[.!?…:;]["'”’»)\]]*$/u

/** Behind a full stop of our own, which has the programs see the end of a sentence. */
const mark = '[-]'

/** One unit, up to and with the NUL that has it come out at once. */
export const framed = (unit: string): string => {
  const text = unit.replaceAll('\0', '').replaceAll(reserved, '\\$&')
  return `${text}${endsSentence.test(unit) ? '' : `.${mark}`}[][\n]\0`
}

/** The translation in what came out before a NUL. */
export const unframed = (output: string): string =>
  output
    .replaceAll(`.${mark}`, '')
    .replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, (found) => (found.startsWith('\\') ? found.slice(1) : ''))
    .replace(/\s+/gu, ' ')
    .trim()
