import type { Pacer } from '@sallyport/kit/async'

/** A word as it is compared: NFKC, lower case. The span is in UTF-16 units of the text that it was read from. */
export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

const written = /[\p{L}\p{N}\p{M}]+/gu
const beyondAscii = /[^\0-\x7f]/
/** All of them in a text of ASCII. */
const writtenInAscii = /[A-Za-z0-9]+/g
const compared = /[\p{L}\p{N}]+/gu
const ascii = /^[a-z0-9]*$/
/** UTF-16 units of a word that are read; what is longer is no word. */
const longest = 4096

/** Runs of letters and digits. */
export const wordsOf = async (text: string, pacer: Pacer): Promise<Word[]> => {
  const words: Word[] = []
  const isAscii = !beyondAscii.test(text)
  for (const { 0: match, index } of text.matchAll(isAscii ? writtenInAscii : written)) {
    const span = { start: index, end: index + match.length }
    const read = match.slice(0, longest)
    const lower = (isAscii ? read : read.normalize('NFKC')).toLowerCase()
    if (isAscii || ascii.test(lower)) words.push({ word: lower, ...span })
    else for (const [word] of lower.matchAll(compared)) words.push({ word, ...span })
    if (words.length % 256 === 0) await pacer.pause()
  }
  return words
}
