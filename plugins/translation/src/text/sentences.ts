/** Where sentences end. */

/** After these a capital letter begins no sentence. */
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

/** In these languages a full stop makes an ordinal number. */
const ordinalStops = /^(?:de|da|nb|nn|no|fi|cs|sk|sl|hr|sr|bs|hu|et|lv|is|tr|pl)\b/

const segmenters = new Map<string, Intl.Segmenter>()

const segmenter = (language: string): Intl.Segmenter => {
  const known = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, known)
  return known
}

/** Characters before an end that are looked at. */
const tailLength = 40

/** The sentences of a line, each with the white space behind it: together they are the text. */
export function* sentencesOf(text: string, language: string): Generator<string> {
  let start = 0
  for (const { index } of segmenter(language).segment(text)) {
    if (index === start || !ends(text.slice(Math.max(start, index - tailLength), index), language)) continue
    yield text.slice(start, index)
    start = index
  }
  if (start < text.length) yield text.slice(start)
}

const ends = (sentence: string, language: string): boolean => {
  if (/[。！？｡]["'”’」』）]*\s*$/u.test(sentence)) return true
  // a question mark inside an address
  if (!/\s$/u.test(sentence)) return false
  if (abbreviations.test(sentence)) return false
  return !(ordinalStops.test(language) && /(?:^|\s)\p{Nd}{1,2}\.\s*$/u.test(sentence))
}

/** Parts of a sentence of at most so many characters, cut behind punctuation or else between words. */
export const partsOfAtMost = (text: string, maxLength: number): string[] => {
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
  for (const place of [/.*[;:,，、；：](?=\s|\p{Lo})\s*/su, /.*\s/su]) {
    const length = place.exec(head)?.[0].length ?? 0
    if (length >= maxLength / 3) return length
  }
  // not between the halves of a surrogate pair
  return /[\ud800-\udbff]$/.test(head) ? maxLength - 1 : maxLength
}
