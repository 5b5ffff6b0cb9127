import { joining } from '../patterns/beside.js'
import { escaped } from '../patterns/words.js'

/** UTF-16 units before a match in which words tell what it is. What stands behind it is not known yet in a stream. */
export const contextLength = 64

const isJoining = new RegExp(joining, 'u')

const behindWord = String.raw`(?!(?!${joining})\p{L})`
const notInWord = String.raw`(?<!(?!${joining})[\p{L}\p{N}])`

/** What may stand between a word and the number that it names: no end of a sentence, but `no.` and `nr.`. */
const naming = String.raw`(?:[^\p{L}\p{N}\r\n.!?。！？]|(?<=n[or])\.|no|nr|is|was|ist|est|es|是|为|為|は|는|은){0,6}`

/** What words tell of what follows them. */
export interface Context {
  readonly given: RegExp
  /** Whatever stands before: right before a match, these name something else. */
  readonly other: RegExp | undefined
}

/** Finds one of the words, where it begins. */
export const contextOf = (words: readonly string[] = [], others: readonly string[] = []): Context | undefined =>
  words.length
    ? {
        given: new RegExp(oneOfWords(words), 'iu'),
        other: others.length ? new RegExp(`(?:${oneOfWords(others)})${naming}$`, 'iu') : undefined,
      }
    : undefined

/** A pattern for the words as texts have them: these are read in compatible forms, and without marks where these stand by themselves. */
const oneOfWords = (words: readonly string[]): string => {
  const written = [...new Set(words.flatMap((word) => [word.normalize('NFKC'), withoutMarks(word)]))]
  const [joined, parted] = [
    written.filter((word) => isJoining.test(word)),
    written.filter((word) => !isJoining.test(word)),
  ]
  const alternatives = [...joined.map(escaped), ...(parted.length ? [notInWord + anyOf(parted)] : [])]
  return alternatives.join('|')
}

/** Short words count as a whole only: `pan` is not in `panel`. */
const anyOf = (words: readonly string[]): string =>
  `(?:${words.map((word) => escaped(word) + (word.length <= maxShortWord ? behindWord : '')).join('|')})`

const maxShortWord = 4

const withoutMarks = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')

export const hasContext = (text: string, start: number, context: Context | undefined): boolean => {
  if (!context) return false
  const before = text.slice(Math.max(0, start - contextLength), start)
  return context.given.test(before) && !context.other?.test(before)
}
