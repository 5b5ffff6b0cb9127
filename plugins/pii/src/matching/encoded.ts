import { base64In, plainText, readingsOf } from '@sallyport/kit/views'
import type { Base64Row } from '@sallyport/kit/views'
import type { CompiledRecognizer } from './compiled.js'
import { findIn } from './find.js'
import type { RecognizerFinding, Search } from './find.js'

const score = 0.9
/** Shorter decoded texts are not searched. */
const minLength = 6
/** A printable character. Decoded bytes that are not text have few of them. */
const printable = /[\t\n\r\x20-\x7e\x80-\uffff]/g
const minPrintable = 0.9

const isText = (text: string): boolean =>
  text.length >= minLength && (text.match(printable)?.length ?? 0) >= text.length * minPrintable

/** Whether a recogniser also searches base64, and text across tags. */
export const searchesEncoded = ({ recognizer }: CompiledRecognizer): boolean => recognizer.encoded === true

/** A finding that covers a whole run of base64; undefined where no recogniser finds anything in it. */
export const findingInBase64 = (
  { start, read }: Base64Row,
  { recognizers }: Pick<Search, 'recognizers'>,
): RecognizerFinding | undefined => {
  for (const { text, end } of read) {
    const texts = isText(text) ? readingsOf(text).map((reading) => plainText(reading.text)) : []
    const found = recognizers.find(
      (one) => searchesEncoded(one) && texts.some((plain) => findIn(plain, one).length > 0),
    )
    if (found) return { type: found.recognizer.entity, start, end, score, recognizer: found.recognizer }
  }
  return undefined
}

/** The search with only those recognisers that also search encoded text. */
export const encodedSearch = <Some extends Pick<Search, 'recognizers'>>(search: Some): Some => ({
  ...search,
  recognizers: search.recognizers.filter(searchesEncoded),
})

/** The runs of base64 in a text; none where no recogniser searches them. */
export const base64RunsIn = (
  text: string,
  { recognizers, threshold }: Pick<Search, 'recognizers' | 'threshold'>,
  range: Parameters<typeof base64In>[1],
): Iterable<Base64Row | undefined> =>
  score >= threshold && recognizers.some(searchesEncoded) ? base64In(text, range) : []
