import type { ClassifiedSpan } from '@sallyport/core'

/** A word of a text with its label, in UTF-16 units. */
export interface LabelledWord {
  /** As the model calls it, with the prefix of its scheme: `B-PER`. */
  readonly label: string
  readonly score: number
  readonly start: number
  readonly end: number
}

type Position = 'begin' | 'inside' | 'end' | 'single' | 'any'

/** Prefixes of the schemes BIO (IOB2), BILOU and BIOES. */
const positions: Readonly<Record<string, Position>> = {
  B: 'begin',
  I: 'inside',
  M: 'inside',
  L: 'end',
  E: 'end',
  U: 'single',
  S: 'single',
}

const prefixed = /^([BIMLEUS])[-_](.+)$/

/**
 * Joins labelled words to spans. A span goes on as long as the scheme says so: a word inside or at the end of a span
 * that nothing began begins one. Labels without a prefix join with the same label before them, and so does a beginning
 * that nothing parts from it: some models see a beginning in every part of a mail address. The score is the mean of the
 * words'.
 */
export const spansOf = (words: readonly LabelledWord[], text: string): ClassifiedSpan[] => {
  const spans: { label: string; words: LabelledWord[]; open: boolean }[] = []
  let last: (typeof spans)[number] | undefined
  for (const word of words) {
    const { label, position } = meaning(word.label)
    if (label === undefined) last = undefined
    else {
      const begins = position === 'single' || (position === 'begin' && !isGlued(last?.words.at(-1), word, text))
      const continues = last?.open && last.label === label && !begins
      if (!last || !continues) {
        last = { label, words: [], open: true }
        spans.push(last)
      }
      last.words.push(word)
      last.open = position !== 'end' && position !== 'single'
    }
  }
  return spans.map(({ label, words: joined }) => ({ label, ...placeOf(joined, text), score: meanScore(joined) }))
}

/** Where words are written without spaces, two that touch may well be two. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const isGlued = (before: LabelledWord | undefined, word: LabelledWord, text: string): boolean =>
  before?.end === word.start && text[word.start]?.trim() !== '' && !unspaced.test(text.slice(before.start, word.end))

const meaning = (label: string): { label?: string; position: Position } => {
  if (label === 'O' || label === '') return { position: 'any' }
  const [, prefix = '', name] = prefixed.exec(label) ?? []
  return name === undefined ? { label, position: 'any' } : { label: name, position: positions[prefix] ?? 'any' }
}

/** Some vocabularies count the space before a word to the word. */
const placeOf = (words: readonly LabelledWord[], text: string) => {
  const end = words.at(-1)?.end ?? 0
  const from = words[0]?.start ?? 0
  const start = from + text.slice(from, end).search(/\S|$/)
  return { start, end }
}

const meanScore = (words: readonly LabelledWord[]) => words.reduce((sum, { score }) => sum + score, 0) / words.length
