import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import { months, negations, numberWords, stopWords } from './lexicon.js'

const letters = '[\\p{L}\\p{Nl}\\p{No}]+'
/** Behind a month, one or two digits are its day: May 12 300 people. */
const firstDigits = `(?:\\p{Nd}{3}|(?<!(?:${months.join('|')}) )\\p{Nd}{1,2})`
/** Digits in groups of three behind spaces or apostrophes: 735 000, 735’000. */
const groupedDigits = `${firstDigits}(?:[ \\u00a0\\u2009\\u202f'’]\\p{Nd}{3})+(?!\\p{Nd})(?:[.,]\\p{Nd}+)*`
const token = new RegExp(`${groupedDigits}|\\p{Nd}+(?:[.,]\\p{Nd}+)*|${letters}(?:['’]${letters})?`, 'gu')
const sentenceEnd = /(?<=[.!?])\s+|\n+/gu
const suffixes = ['ingly', 'edly', 'ing', 'ied', 'ies', 'ed', 'es', 'ly', 's']
const digits = /^\p{Nd}+$/u
const upper = /^\p{Lu}/u
const lower = /^\p{Ll}/u

/** A word of a text in the form in which it is compared. */
export interface ComparedWord {
  /** The word in lower case, without a possessive ending. */
  readonly word: string
  /** A number in digits, or the word without its ending. */
  readonly stem: string
  readonly isCapitalized: boolean
  readonly isLowercase: boolean
  /** Whether it is a content word. */
  readonly isContent: boolean
  /** Whether it is within the scope of a negation. */
  readonly negated: boolean
}

export const comparedWords = (text: string): ComparedWord[] => [...eachComparedWord(text)]

export const comparedWordsPaced = async (text: string, pacer: Pacer): Promise<ComparedWord[]> => {
  const words: ComparedWord[] = []
  for (const word of eachComparedWord(text)) {
    words.push(word)
    if (words.length % 512 === 0) await pacer.pause()
  }
  return words
}

/** A text in which each negation is a word before what it negates. */
export const uncontracted = (text: string): string =>
  text
    .replace(/\bwon['’]t\b/gi, 'will not')
    .replace(/\bcan(?:['’]t|not)\b/gi, 'can not')
    .replace(/n['’]t\b/gi, ' not')
    .replace(/\bit is (?:false|untrue|incorrect|wrong|not (?:true|correct|the case)) that\b/gi, 'not')

/** The scope of a negation: the number of content words after it. */
const scope = 4

function* eachComparedWord(text: string): Generator<ComparedWord> {
  let left = 0
  for (const [raw] of text.matchAll(token)) {
    const compared = comparedWord(raw)
    const negates = negations.has(compared.word) || compared.word.endsWith("n't")
    yield { ...compared, negated: left > 0 && !negates }
    if (negates) left = scope
    else if (compared.isContent) left = Math.max(0, left - 1)
  }
}

export const isNumber = (stem: string): boolean => /^\p{Nd}/u.test(stem)

/** Numbers with the words right behind them. */
export const valuesIn = (words: readonly ComparedWord[]) =>
  words.flatMap(({ stem }, at) => {
    const unit = words[at + 1]
    return isNumber(stem) && unit?.isContent && !isNumber(unit.stem) ? [{ number: stem, unit: unit.stem }] : []
  })

const comparedWord = (raw: string): Omit<ComparedWord, 'negated'> => {
  const plain = raw.toLowerCase().replaceAll('’', "'")
  const word = plain.endsWith("'s") ? plain.slice(0, -2) : plain
  return {
    word,
    stem: numberOf(word) ?? stemOf(word),
    isCapitalized: upper.test(raw),
    isLowercase: lower.test(raw),
    isContent: (!stopWords.has(word) && Array.from(word).length > 1) || digits.test(word),
  }
}

const numberOf = (word: string): string | undefined =>
  isNumber(word) ? plainNumber(word.replace(/[^\p{Nd}.,]/gu, '')) : numberWords.get(word)

/** Groups of three behind commas; behind points only where they can be no decimals: 1.234.567 and 735.000, but not 1.500. */
const thousands = /^(?!0)\p{Nd}{1,3}(?:(?:,\p{Nd}{3})+|(?:\.\p{Nd}{3}){2,}|\.000)$/u
const withOneComma = /^\p{Nd}+,\p{Nd}+$/u

/** A number with a point before its decimals and no other mark; what has several points and no comma stays: 3.11.2. */
const plainNumber = (number: string): string => {
  const decimalMark = number.lastIndexOf(',') > number.lastIndexOf('.') ? ',' : '.'
  if (number.includes(',') && number.includes('.'))
    return number.replaceAll(decimalMark === ',' ? '.' : ',', '').replace(',', '.')
  if (thousands.test(number)) return number.replace(/[.,]/g, '')
  return withOneComma.test(number) ? number.replace(',', '.') : number.replaceAll(',', '')
}

const stemOf = (word: string): string => {
  const suffix = suffixes.find((one) => word.endsWith(one) && word.length - one.length >= 3)
  const stem = suffix === undefined ? word : word.slice(0, -suffix.length) + (/^i(?:ed|es)$/.test(suffix) ? 'y' : '')
  return stem.length > 4 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}

export interface Sentence extends Span {
  readonly text: string
}

/** The sentences of a text, without surrounding whitespace. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = []
  const add = (from: number, to: number) => {
    const sentence = text.slice(from, to).trim()
    const start = text.indexOf(sentence, from)
    if (sentence) sentences.push({ text: sentence, start, end: start + sentence.length })
  }
  let from = 0
  for (const { 0: gap, index } of text.matchAll(sentenceEnd)) {
    add(from, index)
    from = index + gap.length
  }
  add(from, text.length)
  return sentences
}
