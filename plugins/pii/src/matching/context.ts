import { unspacedScripts } from '../patterns/boundaries.js'
import { escapeRegExp } from '../patterns/words.js'

/** UTF-16 code units before a match in which context words count. In a stream, nothing is known of what follows. */
export const contextLength = 64

const unspacedLetter = new RegExp(unspacedScripts, 'u')

const wordEnd = String.raw`(?!(?!${unspacedScripts})\p{L})`
const notInWord = String.raw`(?<!(?!${unspacedScripts})[\p{L}\p{N}])`

/** What may be between a context word and its number: `no.` and `nr.`, but no end of a sentence. */
const betweenWordAndNumber = String.raw`(?:[^\p{L}\p{N}\r\n.!?。！？]|(?<=n[or])\.|no|nr|is|was|ist|est|es|是|为|為|は|는|은){0,6}`

/** The context words of a recogniser, compiled. */
export interface Context {
  readonly words: RegExp
  /** Words that, right before a match, name something else: then no context word counts. */
  readonly otherWords: RegExp | undefined
}

/** Compiles context words, which match at the beginning of words. */
export const compileContext = (words: readonly string[] = [], others: readonly string[] = []): Context | undefined => {
  if (!words.length) return undefined
  const otherWords = others.length ? new RegExp(`(?:${oneOfWords(others)})${betweenWordAndNumber}$`, 'iu') : undefined
  return { words: new RegExp(oneOfWords(words), 'iu'), otherWords }
}

/** The source of a pattern for the words in NFKC, with and without marks, as plain readings have both. */
const oneOfWords = (words: readonly string[]): string => {
  const spellings = [...new Set(words.flatMap((word) => [word.normalize('NFKC'), withoutMarks(word)]))]
  const unspaced = spellings.filter((word) => unspacedLetter.test(word))
  const spaced = spellings.filter((word) => !unspaced.includes(word))
  // Short words match as a whole only: `pan` does not match in `panel`.
  const ends = spaced.map((word) => escapeRegExp(word) + (word.length <= maxShortWord ? wordEnd : ''))
  return [...unspaced.map(escapeRegExp), ...(ends.length ? [`${notInWord}(?:${ends.join('|')})`] : [])].join('|')
}

const maxShortWord = 4

const withoutMarks = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')

export const hasContext = (text: string, start: number, context: Context | undefined): boolean => {
  if (!context) return false
  const before = text.slice(Math.max(0, start - contextLength), start)
  return context.words.test(before) && !context.otherWords?.test(before)
}
