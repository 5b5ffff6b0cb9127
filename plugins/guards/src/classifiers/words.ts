import type { Pacer } from '@sallyport/kit/async'

/** A word in NFKC and lower case. The span is in UTF-16 code units of the text. */
export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const beyondAscii = /[^\0-\x7f]/
/** The pattern of words in ASCII texts, which is faster. */
const asciiWord = /[A-Za-z0-9]+/g
const lettersAndDigits = /[\p{L}\p{N}]+/gu
const ascii = /^[a-z0-9]*$/
/** The maximum length of a word in UTF-16 code units; the rest of a longer one is ignored. */
const maxLength = 4096

/** The words of a text: runs of letters and digits. */
export const wordsOf = async (text: string, pacer: Pacer): Promise<Word[]> => {
  const words: Word[] = []
  const isAscii = !beyondAscii.test(text)
  for (const { 0: match, index } of text.matchAll(isAscii ? asciiWord : wordPattern)) {
    const span = { start: index, end: index + match.length }
    const part = match.slice(0, maxLength)
    const lower = (isAscii ? part : part.normalize('NFKC')).toLowerCase()
    if (isAscii || ascii.test(lower)) words.push({ word: lower, ...span })
    else for (const [word] of lower.matchAll(lettersAndDigits)) words.push({ word, ...span })
    if (words.length % 256 === 0) await pacer.pause()
  }
  return words
}
