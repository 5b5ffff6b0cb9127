/**
 * Shortens email addresses before a model reads a text: patterns find them, and they would cost the model many
 * subwords.
 */

import type { Pacer } from '@sallyport/kit/async'
import { originalReading, rewritten } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'
import { raw } from '../patterns/raw-regex.js'

/** It consists of frequent words, so that it does not cause a text to be sent to the model. */
const placeholder = 'me@a.it'

/** Only addresses that the recogniser finds as a whole are shortened. */
const local = String.raw`[\p{L}\p{N}._%+'-]`
const email = raw.gu`(?<!${local})[\p{L}\p{N}_%+]${local}{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[a-z]{2,24}(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])`

/** The maximum length in UTF-16 code units before an `@`, and from it on with the next characters. */
const [maxLocalLength, maxRestLength] = [64, 1 + 8 * 64 + 24 + 3]
/** The number of `@` between two pauses. */
const pauseInterval = 64

/** Searches around each `@`, as one search through a long text would block the event loop. */
const emailsIn = async (text: string, pacer: Pacer): Promise<Span[]> => {
  const spans: Span[] = []
  let [from, signs] = [0, 0]
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, from))) {
    const begin = Math.max(0, at - maxLocalLength - 1)
    // A match must not begin at the first unit of the slice: the address may have begun before it.
    email.lastIndex = Math.max(begin > 0 ? 1 : 0, from - begin)
    const match = email.exec(text.slice(begin, at + maxRestLength))
    if (match) {
      from = begin + match.index + match[0].length
      spans.push({ start: begin + match.index, end: from })
    }
    if (++signs % pauseInterval === 0) await pacer.pause()
  }
  return spans
}

/** A view with a short address in place of each longer one; each of its units maps to the whole address. */
export const withShortEmails = async (text: string, pacer: Pacer): Promise<View> => {
  const long = (await emailsIn(text, pacer)).filter(({ start, end }) => end - start > placeholder.length)
  const edits = long.map((span) => ({ ...span, replacement: placeholder }))
  return rewritten(originalReading(text), edits) ?? originalReading(text)
}
