import type { Pacer } from '@sallyport/kit/async'
import { originalReading, rewritten, viewsOf } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'
import { stopWords } from './lexicon.js'
import type { ComparedWord } from './compared-words.js'

/** Emphasis of Markdown, inline elements of HTML and comments in the middle of a word, which readers do not see. */
const marksInWord =
  /(?<=\p{L})(?:[*~`]|<\/?(?:a|b|big|code|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)(?![a-z])[^<>]{0,64}>|<!--[^<>]{0,64}-->)+(?=\p{L})/giu

/** A text as readers see it: without invisible characters, look-alikes and marks in words, with spelled words joined. */
export const readingOf = async (text: string, pacer: Pacer): Promise<View> => {
  const [plain = originalReading(text)] = await viewsOf(text, [], pacer)
  const whole = rewritten(plain, marksIn(plain.text)) ?? plain
  const joined = (await viewsOf(whole.text, ['spelled'], pacer)).at(-1) ?? whole
  return { text: joined.text, sourceOf: (span) => whole.sourceOf(joined.sourceOf(span)) }
}

function* marksIn(text: string): Generator<Edit> {
  for (const { 0: marks, index } of text.matchAll(marksInWord))
    yield { start: index, end: index + marks.length, replacement: '' }
}

/** Braille, whose cells are no letters in Unicode. */
export const braille = /[\u2801-\u28ff]/u
/** How many letters that stand alone, and that the reference lacks, are a word that is spelled in another way. */
const spelledLength = 3

/** Whether a claim has letters, but no words to compare, or some that are left out of the comparison. */
export const isUnreadable = (text: string, words: readonly ComparedWord[], known: ReadonlySet<string>): boolean => {
  const letters = words.filter(
    ({ word, isContent }) => !isContent && word.length === 1 && !stopWords.has(word) && !known.has(word),
  )
  return braille.test(text) || !words.some(({ isContent }) => isContent) || letters.length >= spelledLength
}
