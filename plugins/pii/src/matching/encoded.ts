import { base64In, plainText, readingsOf } from '@sallyport/kit/views'
import type { Base64Row } from '@sallyport/kit/views'
import type { CompiledRecognizer } from './compiled.js'
import { findIn, foundFrom } from './find.js'
import type { Found, Search } from './find.js'

const score = 0.9
/** UTF-16 units of what is looked for. */
const minLength = 6
/** What most of a text consists of, and few bytes that are none. */
const printable = /[\t\n\r\x20-\x7e\x80-\uffff]/g
const minPrintable = 0.9

const isText = (text: string): boolean =>
  text.length >= minLength && (text.match(printable)?.length ?? 0) >= text.length * minPrintable

/** Whether it is looked for where it is disguised. */
const seesDisguised = ({ recognizer }: CompiledRecognizer): boolean => recognizer.encoded === true

/** What the recognisers find in a row of base64: the row as a whole. */
export const foundInRow = (
  { start, read }: Base64Row,
  { recognizers }: Pick<Search, 'recognizers'>,
): Found | undefined => {
  for (const { text, end } of read.filter((one) => isText(one.text))) {
    const texts = readingsOf(text).map((reading) => plainText(reading.text))
    const found = recognizers.find(
      (one) => seesDisguised(one) && texts.some((reading) => findIn(reading, one, foundFrom).length > 0),
    )
    if (found) return { type: found.recognizer.entity, start, end, score, recognizer: found.recognizer }
  }
  return undefined
}

/** A search for what is looked for where it is disguised. */
export const disguised = <Some extends Pick<Search, 'recognizers'>>(search: Some): Some => ({
  ...search,
  recognizers: search.recognizers.filter(seesDisguised),
})

/** Base64, where any of the recognisers looks into it. */
export const encodedIn = (
  text: string,
  { recognizers, threshold }: Pick<Search, 'recognizers' | 'threshold'>,
  range: Parameters<typeof base64In>[1],
): Iterable<Base64Row | undefined> =>
  score >= threshold && recognizers.some(seesDisguised) ? base64In(text, range) : []
