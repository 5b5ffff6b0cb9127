import { compileRecognizer } from '../matching/compiled.js'
import { findIn } from '../matching/find.js'
import type { Pattern, Recognizer } from '../recognizers/recognizer.js'

/** Letters of base64, in either alphabet: of a longer row, the beginning is read. */
const encodedText = /(?<![A-Za-z\d+/_-])[A-Za-z\d+/_-]{12,2048}={0,2}/u

/** In base64 of a text, unlike words: decoding each of them would take longer than all patterns. */
const capitalInside = /[a-z\d][A-Z]/

/** What most of a text consists of, and few bytes that are none. */
const printable = /[\t\n\r\x20-\x7e\x80-\uffff]/g
const leastPrintable = 0.9

const foundFrom = 0.5

/** A recogniser that looks into base64, too: what holds something is found as a whole. */
export const alsoEncoded = (recognizer: Recognizer): Recognizer => {
  const compiled = compileRecognizer(recognizer)
  const within: Pattern['within'] = (match) => {
    if (!capitalInside.test(match)) return undefined
    const text = Buffer.from(match, 'base64')
      .toString()
      .replace(/\ufffd+$/, '')
    const isText = !text.includes('\ufffd') && (text.match(printable)?.length ?? 0) >= text.length * leastPrintable
    return isText && findIn(text, compiled, foundFrom).length > 0 ? { start: 0, end: match.length } : undefined
  }
  return { ...recognizer, patterns: [...recognizer.patterns, { regex: encodedText, score: 0.9, within }] }
}
