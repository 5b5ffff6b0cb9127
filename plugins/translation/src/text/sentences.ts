/** Where sentences end. */

import { characterStart } from '@sallyport/kit/text'

/** After these abbreviations a capital letter does not begin a sentence. */
const abbreviations = new RegExp(
  '(?:^|[\\s(\\["„“])(?:' +
    'Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|etc|e\\.\\s?g|i\\.\\s?e|a\\.\\s?m|p\\.\\s?m|cf|No|Nr|Fig|Vol|Art|Inc|Ltd|Co|Corp|approx|' +
    'z\\.\\s?B|d\\.\\s?h|u\\.\\s?a|bzw|usw|ca|Hr|Fr|Frau|Str|Abs|Tel|evtl|ggf|inkl|vgl|' +
    'M|MM|Mme|Mlle|p\\.\\s?ex|c\\.-à-d|env|av|' +
    'Sra?|Srta|Dra|Ud|Uds|p\\.\\s?ej|pág|núm|' +
    'p\\.\\s?es|ecc|sig|dott|' +
    '\\p{Lu}' +
    ')\\.\\s*$',
  'u',
)

/** Languages in which a full stop marks an ordinal number. */
const ordinalStops = /^(?:de|da|nb|nn|no|fi|cs|sk|sl|hr|sr|bs|hu|et|lv|is|tr|pl)\b/

/** A mark at the end of a sentence or a clause, and what closes after it. */
export const endsSentence = /[.!?…。！？:;]["'”’»)\]]*$/u

const segmenters = new Map<string, Intl.Segmenter>()

const segmenter = (language: string): Intl.Segmenter => {
  const known = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, known)
  return known
}

/** How many characters before a possible end are examined. */
const tailLength = 40

/** The sentences of a line, each with the white space after it; joined, they are the text. */
export function* sentencesOf(text: string, language: string): Generator<string> {
  let start = 0
  for (const { index } of segmenter(language).segment(text)) {
    if (index === start || !isSentenceEnd(text.slice(Math.max(start, index - tailLength), index), language)) continue
    yield text.slice(start, index)
    start = index
  }
  if (start < text.length) yield text.slice(start)
}

const isSentenceEnd = (sentence: string, language: string): boolean => {
  if (/[。！？｡]["'”’」』）]*\s*$/u.test(sentence)) return true
  // Without white space, the end may be a question mark inside an address.
  if (!/\s$/u.test(sentence)) return false
  if (abbreviations.test(sentence)) return false
  return !(ordinalStops.test(language) && /(?:^|\s)\p{Nd}{1,2}\.\s*$/u.test(sentence))
}

/** Splits a sentence into parts of at most `maxLength`, after punctuation or else between words. */
export const splitToLength = (text: string, maxLength: number): string[] => {
  const parts: string[] = []
  let rest = text
  while (rest.length > maxLength) {
    const cut = cutBefore(rest, maxLength)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return rest === '' ? parts : [...parts, rest]
}

const cutBefore = (text: string, maxLength: number): number => {
  const head = text.slice(0, maxLength)
  for (const pattern of [/.*[;:,，、；：](?=\s|\p{Lo})\s*/su, /.*\s/su]) {
    const length = pattern.exec(head)?.[0].length ?? 0
    if (length >= maxLength / 3) return length
  }
  return characterStart(text, maxLength)
}
