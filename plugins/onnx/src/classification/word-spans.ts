import type { ClassifiedSpan } from '@sallyport/core'
import { meanOf } from '../statistics.js'

/** A word of a text with its label; the span is in UTF-16 code units. */
export interface LabelledWord {
  /** The label of the model, with the prefix of its scheme: `B-PER`. */
  readonly label: string
  readonly score: number
  readonly start: number
  readonly end: number
}

type Position = 'begin' | 'inside' | 'end' | 'single' | 'any'

/** Prefixes of the schemes BIO (IOB2), BILOU, BIOES and BMES. */
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
 * Joins labelled words to spans by the scheme of their prefixes. A word that is labelled as the inside or the end of a
 * span begins one where none is open. A label without a prefix joins the same label before it. So does a beginning that
 * touches the word before it, as some models label every part of an email address as a beginning. The score of a span
 * is the mean of its words' scores.
 */
export const spansOf = (words: readonly LabelledWord[], text: string): ClassifiedSpan[] => {
  const spans: { label: string; words: LabelledWord[]; open: boolean }[] = []
  let last: (typeof spans)[number] | undefined
  for (const word of words) {
    const { label, position } = parseLabel(word.label)
    if (label === undefined) last = undefined
    else {
      const begins = position === 'single' || (position === 'begin' && !isAdjacent(last?.words.at(-1), word, text))
      const continues = last?.open && last.label === label && !begins
      if (!last || !continues) {
        last = { label, words: [], open: true }
        spans.push(last)
      }
      last.words.push(word)
      last.open = position !== 'end' && position !== 'single'
    }
  }
  return spans.map(({ label, words: joined }) => {
    const score = meanOf(joined.map((word) => word.score))
    return { label, ...spanOf(joined, text), score }
  })
}

/** In scripts without spaces, two words that touch may well be two spans. */
const unspacedScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const isAdjacent = (before: LabelledWord | undefined, word: LabelledWord, text: string): boolean =>
  before?.end === word.start &&
  text[word.start]?.trim() !== '' &&
  !unspacedScripts.test(text.slice(before.start, word.end))

const parseLabel = (label: string): { label?: string; position: Position } => {
  if (label === 'O' || label === '') return { position: 'any' }
  const [, prefix = '', name] = prefixed.exec(label) ?? []
  return name === undefined ? { label, position: 'any' } : { label: name, position: positions[prefix] ?? 'any' }
}

/** Leaves out white space at the start, which some vocabularies treat as part of the word. */
const spanOf = (words: readonly LabelledWord[], text: string) => {
  const [from, end] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0]
  return { start: from + text.slice(from, end).search(/\S|$/), end }
}
